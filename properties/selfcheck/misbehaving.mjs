// The JavaScript example, misbehaving in the way its argument names.

import { createInterface } from "node:readline";
import { answer } from "../../examples/plain.mjs";

const [name] = process.argv.slice(2);
const say = (text) => process.stdout.write(`${text}\n`);

const actions = {
  "exit": () => process.exit(3),
  "uncaught": (message) => message.history.nothing.at(0),
  "rejected": () => Promise.reject(new Error("later")),
  "busy": () => { for (;;); },
  "silence": () => {},
  "console-log": (message) => { console.log(message.seq, message.history); say(JSON.stringify(answer(message))); },
  "undefined": () => say(String(undefined)),
  "wrong-seq": (message) => say(JSON.stringify({ ...answer(message), seq: 0 })),
  "null-prompt": (message) => say(JSON.stringify({ ...answer(message), prompt: null })),
  "two-prompts": (message) => say(JSON.stringify({ ...answer(message), error: "no" })),
  "late-answer": (message) => setTimeout(() => say(JSON.stringify(answer(message))), 30),
  "split-writes": (message) => [...JSON.stringify(answer(message)), "\n"].forEach((c) => process.stdout.write(c)),
  "a-megabyte-on-stderr": (message) => {
    process.stderr.write("word ".repeat(200_000));
    say(JSON.stringify(answer(message)));
  },
  "exit-at-start": () => process.exit(1),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.cmd === "stop") process.exit(0);
  const now = message.cmd === (name.endsWith("-at-start") ? "start" : "run");
  if (now) actions[name](message);
  else say(JSON.stringify(answer(message)));
});
