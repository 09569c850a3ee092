#!/usr/bin/env node
// A normalizer for `command:`, with nothing installed: copy it and adapt it.
//
//     callpair check --subject 'command:node examples/plain.mjs'

import { createHash } from "node:crypto";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const NAMESPACE = Buffer.from("90d38d3e6a5b4d52bfe22f1e634bfac4", "hex");

// The output type that answers each call type, and how a made-up output's item id begins.
const ANSWERS = new Map([
  ["function_call", ["function_call_output", "fco"]],
  ["local_shell_call", ["function_call_output", "fco"]],
  ["custom_tool_call", ["custom_tool_call_output", "ctco"]],
  ["tool_search_call", ["tool_search_output", "tso"]],
]);
const OUTPUTS = new Set([...ANSWERS.values()].map(([output]) => output));

// The key that holds an item's parts.
const PARTS = new Map([
  ["message", "content"],
  ["function_call_output", "output"],
  ["custom_tool_call_output", "output"],
]);

const keyOf = (type, callId) => `${type}\n${callId}`;
const isLinked = (item) => item.call_id !== null && item.call_id !== undefined;

/** Return the prompt for `history`; `history` itself stays as it is. */
export function normalize(history, modalities) {
  const calls = new Set();
  const outputs = new Set();
  for (const item of history.filter(isLinked)) {
    if (ANSWERS.has(item.type)) calls.add(keyOf(ANSWERS.get(item.type)[0], item.call_id));
    if (OUTPUTS.has(item.type)) outputs.add(keyOf(item.type, item.call_id));
  }
  const prompt = [];
  for (const item of history) {
    const isServer = item.type === "tool_search_output" && item.execution === "server";
    const isOutput = OUTPUTS.has(item.type) && isLinked(item) && !isServer;
    if (isOutput && !calls.has(keyOf(item.type, item.call_id))) continue; // nobody asked for it
    prompt.push(withoutMedia(item, modalities));
    if (ANSWERS.has(item.type) && isLinked(item)) {
      const [outputType, prefix] = ANSWERS.get(item.type);
      if (!outputs.has(keyOf(outputType, item.call_id))) {
        prompt.push(madeUpOutput(item, outputType, prefix));
      }
    }
  }
  return prompt;
}

function madeUpOutput(call, outputType, prefix) {
  const output = { type: outputType, call_id: call.call_id };
  if (call.id) output.id = `${prefix}_${uuid5(`${prefix}:${call.id}`)}`;
  if (outputType === "tool_search_output") {
    return { ...output, status: "completed", execution: "client", tools: [] };
  }
  return { ...output, output: "aborted" };
}

function withoutMedia(item, modalities) {
  if (item.type === "image_generation_call" && !modalities.includes("image")) {
    return { ...item, result: "" };
  }
  const key = PARTS.get(item.type);
  if (!key || !Array.isArray(item[key])) return item;
  return { ...item, [key]: item[key].map((part) => readable(part, modalities)) };
}

function readable(part, modalities) {
  for (const medium of ["image", "audio"]) {
    if (!modalities.includes(medium) && part?.type === `input_${medium}`) {
      const text = `${medium} content omitted because you do not support ${medium} input`;
      return { type: "input_text", text };
    }
  }
  return part;
}

function uuid5(name) {
  const bytes = createHash("sha1").update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x50;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// JavaScript would make 1 of 1.0 and round large integers: numbers pass through as marked strings.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const marked = (token) => (token.startsWith('"') ? token : `"\ue000${token}"`);
const parse = (line) => JSON.parse(line.replace(TOKEN, marked));
const stringify = (value) => JSON.stringify(value).replace(/"\ue000(-?[\d.eE+-]+)"/g, "$1");

export function answer(message) {
  if (message.cmd === "start") {
    return { version: 1, name: "plain JavaScript", language: "JavaScript" };
  }
  try {
    const start = performance.now();
    const prompt = normalize(message.history, message.modalities);
    return { seq: message.seq, prompt, seconds: (performance.now() - start) / 1000 };
  } catch (error) {
    return { seq: message.seq, error: String(error) };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = parse(line);
    if (message.cmd === "stop") process.exit(0);
    process.stdout.write(`${stringify(answer(message))}\n`);
  });
}
