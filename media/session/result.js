// Shows the result of a selection. All texts are data: they are only ever set as the text of an element.
(() => {
  const host = acquireVsCodeApi();
  const rowHeight = 24;
  const spareRows = 10;
  const maxCharacters = 60;
  const measuredRows = 200;

  /** The element that shows the table, and the cell that has the focus. */
  let grid;
  let active = { row: 0, column: 0 };

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  addEventListener("message", ({ data }) => {
    show(data);
  });
  host.postMessage({ kind: "ready" });

  function show(page) {
    grid = undefined;
    active = { row: 0, column: 0 };
    const header = element("header");
    header.append(summaryOf(page));
    if (page.table) {
      const tools = element("div", "tools");
      tools.setAttribute("role", "toolbar");
      tools.setAttribute("aria-label", page.labels.tools);
      for (const kind of ["copy", "copyMarkdown", "save"]) {
        tools.append(button(page.labels[kind], kind));
      }
      header.append(tools);
    }
    const parts = [header];
    for (const [className, text] of [
      ["error", page.error],
      ["output", page.output],
      ["output", page.text],
    ]) {
      if (text) {
        const block = element("pre", className, text);
        block.tabIndex = 0;
        parts.push(block);
      }
    }
    if (page.table) {
      grid = makeGrid(page);
      parts.push(grid.root);
    }
    document.body.replaceChildren(...parts);
    document.body.setAttribute("aria-busy", String(page.isRunning));
    grid?.draw();
  }

  function summaryOf({ summary, notes }) {
    const words = element("div", "summary");
    words.setAttribute("role", "status");
    words.append(element("strong", "", summary));
    for (const note of notes) words.append(element("span", "note", note));
    return words;
  }

  function button(label, kind) {
    const made = element("button", "", label);
    made.addEventListener("click", () => {
      host.postMessage({ kind });
    });
    return made;
  }

  // ---- Table -------------------------------------------------------------------------------------

  /** Only the visible rows have elements. */
  function makeGrid({ table: { columns, rows }, labels }) {
    const root = element("div", "grid");
    root.setAttribute("role", "grid");
    root.setAttribute("aria-label", labels.table);
    root.setAttribute("aria-rowcount", String(rows.length + 1));
    root.setAttribute("aria-colcount", String(columns.length));
    const widths = columns.map((column, at) => {
      const texts = rows.slice(0, measuredRows).map((row) => (row[at] ?? "NULL").length);
      return Math.min(Math.max(column.name.length, column.type.length, 4, ...texts), maxCharacters);
    });
    const total = widths.reduce((sum, width) => sum + width + 3, 0);
    const head = element("div", "row head");
    head.setAttribute("role", "row");
    head.setAttribute("aria-rowindex", "1");
    columns.forEach(({ name, type }, at) => {
      const cell = cellOf("columnheader", at);
      cell.append(element("span", "name", oneLine(name)), element("span", "type", type));
      cell.title = `${name}: ${type}`;
      head.append(cell);
    });
    const body = element("div", "body");
    body.setAttribute("role", "rowgroup");
    body.style.height = `${rows.length * rowHeight}px`;
    for (const part of [head, body]) part.style.width = `${total}ch`;
    root.append(head, body);

    function cellOf(role, column) {
      const cell = element("div", isNumber(columns[column].type) ? "cell number" : "cell");
      cell.setAttribute("role", role);
      cell.setAttribute("aria-colindex", String(column + 1));
      cell.style.width = `${widths[column] + 3}ch`;
      return cell;
    }

    function rowOf(index) {
      const row = element("div", "row");
      row.setAttribute("role", "row");
      row.setAttribute("aria-rowindex", String(index + 2));
      row.style.top = `${index * rowHeight}px`;
      rows[index].forEach((text, column) => {
        const cell = cellOf("gridcell", column);
        cell.textContent = text === null ? "NULL" : oneLine(text);
        if (text === null) cell.classList.add("null");
        else cell.title = text;
        cell.dataset.row = String(index);
        cell.dataset.column = String(column);
        cell.tabIndex = index === active.row && column === active.column ? 0 : -1;
        row.append(cell);
      });
      return row;
    }

    function draw() {
      const hasFocus = body.contains(document.activeElement);
      const height = root.clientHeight || innerHeight;
      const first = Math.max(0, Math.floor(root.scrollTop / rowHeight) - spareRows);
      const last = Math.min(rows.length, first + Math.ceil(height / rowHeight) + 2 * spareRows);
      const indexes = Array.from({ length: last - first }, (_, at) => first + at);
      // The active row keeps its elements, so that the table can be reached with Tab.
      if (active.row < rows.length && !indexes.includes(active.row)) indexes.push(active.row);
      body.replaceChildren(...indexes.map(rowOf));
      if (hasFocus) find()?.focus({ preventScroll: true });
    }

    const find = () =>
      body.querySelector(`[data-row="${active.row}"][data-column="${active.column}"]`);

    function move(row, column) {
      active = {
        row: Math.max(0, Math.min(rows.length - 1, row)),
        column: Math.max(0, Math.min(columns.length - 1, column)),
      };
      const top = active.row * rowHeight;
      const room = root.clientHeight - head.offsetHeight - rowHeight;
      if (top < root.scrollTop) root.scrollTop = top;
      else if (top > root.scrollTop + room) root.scrollTop = top - room;
      draw();
      const cell = find();
      cell?.focus({ preventScroll: true });
      cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    let isDue = false;
    const drawSoon = () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        draw();
      });
    };
    root.addEventListener("scroll", drawSoon);
    new ResizeObserver(drawSoon).observe(root);
    body.addEventListener("mousedown", ({ target }) => {
      const cell = target.closest("[data-row]");
      if (cell) move(Number(cell.dataset.row), Number(cell.dataset.column));
    });
    body.addEventListener("keydown", (event) => {
      const { row, column } = active;
      const isControl = event.ctrlKey || event.metaKey;
      const page = Math.max(1, Math.floor(root.clientHeight / rowHeight) - 2);
      if (isControl && event.key.toLowerCase() === "c" && !String(getSelection())) {
        host.postMessage({ kind: "copyCell", row, column });
        return;
      }
      const moves = {
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        ArrowLeft: [row, column - 1],
        ArrowRight: [row, column + 1],
        PageUp: [row - page, column],
        PageDown: [row + page, column],
        Home: [isControl ? 0 : row, 0],
        End: [isControl ? rows.length - 1 : row, columns.length - 1],
      };
      const to = moves[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(...to);
    });
    return { root, draw };
  }

  const isNumber = (type) => /^(?:tinyint|smallint|int|bigint|float|double|decimal)/.test(type);

  const oneLine = (text) => text.replace(/\r\n|[\r\n]/g, "⏎").replace(/\t/g, "→");
})();
