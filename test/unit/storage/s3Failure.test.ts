import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOfLoss } from "../../../src/storage/s3/s3Failure.ts";
import { elementsOf, xmlTextOf } from "../../../src/storage/s3/xmlText.ts";
import { assertLinearInText } from "../../linearTime.ts";

const url = new URL("https://storage.example:9000/b/k");

test("describes a lost connection by its system error code", () => {
  const rows = [
    ["ENOTFOUND", false, /the host name "storage\.example" was not found \(ENOTFOUND\)/, "few"],
    ["ECONNREFUSED", false, /the connection to storage\.example:9000 was refused/, "few"],
    ["ECONNRESET", true, /the connection to storage\.example:9000 was lost \(ECONNRESET\)/, "many"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", false, /certificate .* is not trusted/, "never"],
    ["CERT_HAS_EXPIRED", false, /the certificate of storage\.example:9000 has expired$/, "never"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", false, /certificate .* is for another host/, "never"],
    ["EPROTO", false, /did not send a valid TLS response/, "never"],
    [undefined, true, /was lost$/, "many"],
  ] as const;
  for (const [code, isConnected, expected, retry] of rows) {
    const cause = Object.assign(new Error("x"), code === undefined ? {} : { code });
    const failure = failureOfLoss({ cause, sent: isConnected }, url);
    assert.match(failure.detail, expected);
    assert.equal(failure.retry, retry, code);
  }
});

test("reads malformed XML in time proportional to its length", () => {
  for (const piece of ["<Code>", "<Code ", "<!--", "</Code>", "&#x1;", "<Code><![CDATA["]) {
    assertLinearInText(piece, (text) => {
      elementsOf(text, "Code");
      xmlTextOf(`<Code>${text}</Code>`, "Code");
    });
  }
});

test("unescapes XML entities and keeps invalid ones", () => {
  assert.equal(
    xmlTextOf("<a x='1'>&lt;&amp;lt;&#65;&#x42;&bogus;&toString;&#x110000;</a>", "a"),
    "<&lt;AB&bogus;&toString;&#x110000;",
  );
  assert.equal(xmlTextOf("<ab>no</ab><a>yes</a>", "a"), "yes");
  assert.equal(xmlTextOf("<a>open", "a"), undefined);
});
