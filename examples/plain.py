#!/usr/bin/env python3
"""A normalizer for `command:`, with nothing installed: copy it and adapt it.

callpair check --subject 'command:python3 examples/plain.py'
"""

import json
import sys
import time
import uuid

NAMESPACE = uuid.UUID("90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4")

# The output type that answers each call type, and how a made-up output's item id begins.
ANSWERS = {
    "function_call": ("function_call_output", "fco"),
    "local_shell_call": ("function_call_output", "fco"),
    "custom_tool_call": ("custom_tool_call_output", "ctco"),
    "tool_search_call": ("tool_search_output", "tso"),
}
OUTPUTS = {output for output, _ in ANSWERS.values()}

# The key that holds an item's parts.
PARTS = {
    "message": "content",
    "function_call_output": "output",
    "custom_tool_call_output": "output",
}


def normalize(history, modalities):
    """Return the prompt for `history`; `history` itself stays as it is."""
    calls, outputs = set(), set()
    for item in history:
        if item.get("call_id") is not None:
            if item["type"] in ANSWERS:
                calls.add((ANSWERS[item["type"]][0], item["call_id"]))
            elif item["type"] in OUTPUTS:
                outputs.add((item["type"], item["call_id"]))
    prompt = []
    for item in history:
        kind, call_id = item["type"], item.get("call_id")
        server = kind == "tool_search_output" and item.get("execution") == "server"
        if kind in OUTPUTS and call_id is not None and not server and (kind, call_id) not in calls:
            continue  # nobody asked for it
        prompt.append(without_media(item, modalities))
        if kind in ANSWERS and call_id is not None and (ANSWERS[kind][0], call_id) not in outputs:
            prompt.append(made_up_output(item))
    return prompt


def made_up_output(call):
    output_type, prefix = ANSWERS[call["type"]]
    output = {"type": output_type, "call_id": call["call_id"]}
    if call.get("id"):
        output["id"] = prefix + "_" + str(uuid.uuid5(NAMESPACE, prefix + ":" + call["id"]))
    if output_type == "tool_search_output":
        output.update(status="completed", execution="client", tools=[])
    else:
        output["output"] = "aborted"
    return output


def without_media(item, modalities):
    if item["type"] == "image_generation_call" and "image" not in modalities:
        return dict(item, result="")
    key = PARTS.get(item["type"])
    if not isinstance(item.get(key), list):
        return item
    return dict(item, **{key: [readable(part, modalities) for part in item[key]]})


def readable(part, modalities):
    for medium in ("image", "audio"):
        is_it = isinstance(part, dict) and part.get("type") == "input_" + medium
        if is_it and medium not in modalities:
            text = f"{medium} content omitted because you do not support {medium} input"
            return {"type": "input_text", "text": text}
    return part


def answer(message):
    if message["cmd"] == "start":
        return {"version": 1, "name": "plain Python", "language": "Python"}
    try:
        start = time.perf_counter()
        prompt = normalize(message["history"], message["modalities"])
        return {"seq": message["seq"], "prompt": prompt, "seconds": time.perf_counter() - start}
    except Exception as error:
        return {"seq": message["seq"], "error": repr(error)}


if __name__ == "__main__":
    for line in sys.stdin:
        message = json.loads(line)
        if message["cmd"] == "stop":
            break
        print(json.dumps(answer(message)), flush=True)
