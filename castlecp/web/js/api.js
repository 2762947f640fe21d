// The service behind the page. Everything here may fail: the page plays without it.

/** @typedef {import("./rules/common.js").Puzzle} Puzzle */

const ROOT = "/api/v1";

/** What the service refuses, in its own sentence. */
export class Refused extends Error {
  /** @param {number} status @param {string} detail */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** The service cannot be reached. */
export class Offline extends Error {}

/**
 * @param {string} path @param {unknown} [body] sent as JSON when there is one
 * @param {AbortSignal} [signal] @param {boolean} [stream] whether events are asked for
 * @returns {Promise<Response>}
 */
async function ask(path, body, signal, stream = false) {
  /** @type {RequestInit} */
  const how = { signal, headers: { Accept: stream ? "text/event-stream" : "application/json" } };
  if (body !== undefined) {
    how.method = "POST";
    how.headers = { ...how.headers, "Content-Type": "application/json" };
    how.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(ROOT + path, how);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Offline();
  }
  if (!answer.ok) {
    const problem = await answer.json().catch(() => null);
    throw new Refused(answer.status, problem?.detail ?? `The service answered ${answer.status}.`);
  }
  return answer;
}

/** @param {string} path @param {unknown} [body] @param {AbortSignal} [signal] */
export const json = async (path, body, signal) => (await ask(path, body, signal)).json();

/**
 * The events of a stream: [name, data], as they come.
 * @param {string} path @param {unknown} body @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<[string, any]>}
 */
export async function* events(path, body, signal) {
  const answer = await ask(path, body, signal, true);
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      text += value.replaceAll("\r\n", "\n");
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        let [name, data] = ["message", ""];
        for (const line of text.slice(0, end).split("\n")) {
          if (line.startsWith("event:")) name = line.slice(6).trim();
          if (line.startsWith("data:")) data += line.slice(5).trim();
        }
        text = text.slice(end + 2);
        if (data) yield [name, JSON.parse(data)];
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
