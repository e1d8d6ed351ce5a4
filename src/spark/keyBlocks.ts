/**
 * Recognizes the lines of PEM private keys in a log. Expects the lines one by one and in order. If the first line is
 * within a key, recognizes the key's full lines by their length.
 */
export class KeyBlocks {
  /** The number of following lines that may belong to the current key. */
  #left = 0;

  isInside(line: string): boolean {
    if (this.#left > 0) {
      this.#left -= 1;
      if (/^\s*[A-Za-z0-9+/=]{1,76}\s*$/.test(line)) return true;
      // An encrypted key begins with headers and an empty line.
      const isPreface = line.trim() === "" || /^\s*[A-Z][\w-]{1,30}: /.test(line);
      if (!isPreface) this.#left = 0;
    }
    if (line.length === 64 && fullLine.test(line)) return true;
    if (line.endsWith("PRIVATE KEY-----") && line.includes("-----BEGIN ")) this.#left = maxLines;
    return false;
  }
}

// OpenSSL writes lines of 64 characters. Checksums have hexadecimal digits only.
const fullLine = /^(?=[^A-Z]*[A-Z])(?=[^g-z]*[g-z])(?=\D*\d)[A-Za-z0-9+/]{64}$/;
// A key of 16384 bits has 200 lines.
const maxLines = 400;
