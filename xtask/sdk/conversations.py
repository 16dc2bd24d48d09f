"""The official SDKs hold whole conversations with the fake servers: conversations.py SERVE_FAKES

The argument is the program that serves them. Each SDK asks with two tools, gets a text and two calls,
sends what it got back as it got it, answers the calls, and gets the answer: whole and streamed. At the
end the servers say whether every request kept the rules of its API.
"""

import json
import subprocess
import sys

import anthropic
import boto3
import botocore.config
import ollama
import openai
from google import genai
from google.genai import types

QUESTION = "Weather in 제주, and the time in Seoul?"
SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
TOOLS = {"get_weather": "The weather in a city", "get_time": "The time in a city"}
RESULTS = {"get_weather": "Sunny", "get_time": "12:00"}
CALLS = [("get_weather", {"city": "제주"}), ("get_time", {"city": "Seoul"})]
FIRST, LAST = "Let me see.", "Sunny at noon."


def check(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"{what}: found {found!r}, wanted {wanted!r}")


def openai_client(origin, azure):
    """A client of OpenAI, or of Azure with this version of its API."""
    if azure == "v1":
        return openai.OpenAI(base_url=f"{origin}/openai/v1", api_key="any", max_retries=0)
    if azure:
        return openai.AzureOpenAI(azure_endpoint=origin, api_version=azure, api_key="any", max_retries=0)
    return openai.OpenAI(base_url=f"{origin}/v1", api_key="any", max_retries=0)


def openai_chat(origin, streamed, azure=None):
    client = openai_client(origin, azure)
    tools = [
        {"type": "function", "function": {"name": n, "description": d, "parameters": SCHEMA, "strict": True}}
        for n, d in TOOLS.items()
    ]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]

    def ask():
        common = {"model": "gpt-5.1", "messages": messages, "tools": tools}
        if not streamed:
            return client.chat.completions.create(**common)
        with client.chat.completions.stream(**common, stream_options={"include_usage": True}) as stream:
            return stream.get_final_completion()

    first = ask()
    message = first.choices[0].message
    calls = [(c.function.name, json.loads(c.function.arguments)) for c in message.tool_calls]
    check("calls", calls, CALLS)
    check("text", message.content, FIRST)
    check("finish", first.choices[0].finish_reason, "tool_calls")
    usage = first.usage
    check("usage", (usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (100, 40, 140))
    check("cached", usage.prompt_tokens_details.cached_tokens, 30)
    check("reasoning", usage.completion_tokens_details.reasoning_tokens, 10)
    # What the streaming helper parsed is its own, and not sent.
    said = message.model_dump(exclude_none=True, exclude={"parsed"})
    for call in said["tool_calls"]:
        call["function"].pop("parsed_arguments", None)
        call.pop("index", None)
    messages.append(said)
    for call in message.tool_calls:
        result = RESULTS[call.function.name]
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
    last = ask()
    check("answer", last.choices[0].message.content, LAST)
    check("finish", last.choices[0].finish_reason, "stop")


def openai_responses(origin, streamed, chained=False, azure=None):
    client = openai_client(origin, azure)
    tools = [
        {"type": "function", "name": n, "description": d, "parameters": SCHEMA, "strict": True}
        for n, d in TOOLS.items()
    ]

    def ask(items, previous):
        common = {"model": "gpt-5.1", "input": items, "tools": tools, "instructions": "Be brief."}
        if previous:
            common["previous_response_id"] = previous
        if not streamed:
            return client.responses.create(**common)
        with client.responses.stream(**common) as stream:
            return stream.get_final_response()

    items = [{"role": "user", "content": QUESTION}]
    first = ask(items, None)
    calls = [item for item in first.output if item.type == "function_call"]
    check("calls", [(c.name, json.loads(c.arguments)) for c in calls], CALLS)
    check("text", first.output_text, FIRST)
    check("status", first.status, "completed")
    check("reasoning", first.output[0].summary[0].text, "Two cities, two tools.")
    check("usage", (first.usage.input_tokens, first.usage.output_tokens), (100, 40))
    check("cached", first.usage.input_tokens_details.cached_tokens, 30)
    results = [
        {"type": "function_call_output", "call_id": c.call_id, "output": RESULTS[c.name]} for c in calls
    ]
    if chained:
        last = ask(results, first.id)
    else:
        said = [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in first.output]
        for item in said:
            for part in item.get("content", []):
                part.pop("parsed", None)
        last = ask(items + said + results, None)
    check("answer", last.output_text, LAST)


def anthropic_messages(origin, streamed):
    client = anthropic.Anthropic(base_url=origin, api_key="any", max_retries=0)
    tools = [{"name": n, "description": d, "input_schema": SCHEMA} for n, d in TOOLS.items()]
    messages = [{"role": "user", "content": QUESTION}]

    def ask():
        common = {"model": "claude-sonnet-4-5", "max_tokens": 2048, "system": "Be brief."}
        common |= {"messages": messages, "tools": tools}
        common |= {"thinking": {"type": "enabled", "budget_tokens": 1024}}
        if not streamed:
            return client.messages.create(**common)
        with client.messages.stream(**common) as stream:
            return stream.get_final_message()

    first = ask()
    kinds = [block.type for block in first.content]
    check("blocks", kinds, ["thinking", "text", "tool_use", "tool_use"])
    uses = [block for block in first.content if block.type == "tool_use"]
    check("calls", [(use.name, use.input) for use in uses], CALLS)
    check("text", first.content[1].text, FIRST)
    check("thinking", first.content[0].thinking, "Two cities, two tools.")
    check("stop reason", first.stop_reason, "tool_use")
    usage = first.usage
    found = (usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens)
    check("usage", found, (70, 30, 40))
    said = [block.model_dump(exclude_none=True) for block in first.content]
    messages.append({"role": "assistant", "content": said})
    results = [{"type": "tool_result", "tool_use_id": u.id, "content": RESULTS[u.name]} for u in uses]
    messages.append({"role": "user", "content": results})
    last = ask()
    check("answer", last.content[0].text, LAST)
    check("stop reason", last.stop_reason, "end_turn")


def gemini(origin, streamed):
    options = types.HttpOptions(base_url=origin, api_version="v1beta")
    client = genai.Client(api_key="any", http_options=options)
    functions = [
        types.FunctionDeclaration(name=n, description=d, parameters_json_schema=SCHEMA)
        for n, d in TOOLS.items()
    ]
    config = types.GenerateContentConfig(
        system_instruction="Be brief.",
        tools=[types.Tool(function_declarations=functions)],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    contents = [types.UserContent(QUESTION)]

    def ask():
        """The parts and the usage of an answer, and why it ended."""
        common = {"model": "gemini-2.5-flash", "contents": contents, "config": config}
        if streamed:
            chunks = list(client.models.generate_content_stream(**common))
        else:
            chunks = [client.models.generate_content(**common)]
        parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts or []]
        return parts, chunks[-1].usage_metadata, chunks[-1].candidates[0].finish_reason

    parts, usage, reason = ask()
    calls = [part.function_call for part in parts if part.function_call]
    check("calls", [(call.name, call.args) for call in calls], CALLS)
    text = "".join(part.text for part in parts if part.text and not part.thought)
    check("text", text, FIRST)
    check("finish", reason, types.FinishReason.STOP)
    check("usage", (usage.prompt_token_count, usage.candidates_token_count), (100, 30))
    check("thoughts", usage.thoughts_token_count, 10)
    contents.append(types.Content(role="model", parts=[p for p in parts if p.text != ""]))
    results = [
        types.Part(
            function_response=types.FunctionResponse(
                id=call.id, name=call.name, response={"output": RESULTS[call.name]}
            )
        )
        for call in calls
    ]
    contents.append(types.Content(role="user", parts=results))
    parts, _, _ = ask()
    check("answer", "".join(part.text for part in parts if part.text), LAST)


def ollama_chat(origin, streamed):
    client = ollama.Client(host=origin)
    tools = [
        {"type": "function", "function": {"name": n, "description": d, "parameters": SCHEMA}}
        for n, d in TOOLS.items()
    ]
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]

    def ask():
        common = {"model": "qwen3", "messages": messages, "tools": tools}
        if streamed:
            chunks = list(client.chat(**common, stream=True))
        else:
            chunks = [client.chat(**common)]
        text = "".join(chunk.message.content or "" for chunk in chunks)
        calls = [call for chunk in chunks for call in chunk.message.tool_calls or []]
        thinking = "".join(chunk.message.thinking or "" for chunk in chunks)
        return text, thinking, calls, chunks[-1]

    text, thinking, calls, end = ask()
    check("calls", [(c.function.name, dict(c.function.arguments)) for c in calls], CALLS)
    check("text", text, FIRST)
    check("thinking", thinking, "Two cities, two tools.")
    check("usage", (end.done, end.prompt_eval_count, end.eval_count), (True, 100, 40))
    said = [call.model_dump(exclude_none=True) for call in calls]
    messages.append({"role": "assistant", "content": text, "thinking": thinking, "tool_calls": said})
    for call in calls:
        name = call.function.name
        messages.append({"role": "tool", "content": RESULTS[name], "tool_name": name})
    check("answer", ask()[0], LAST)


def bedrock(origin, streamed):
    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=origin,
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
        config=botocore.config.Config(retries={"total_max_attempts": 1}),
    )
    specs = [
        {"toolSpec": {"name": n, "description": d, "inputSchema": {"json": SCHEMA}}} for n, d in TOOLS.items()
    ]
    messages = [{"role": "user", "content": [{"text": QUESTION}]}]

    def collected(events):
        """The blocks of a stream, why it ended, and its usage."""
        blocks, reason, usage = {}, None, None
        for event in events:
            (name, value), = event.items()
            block = blocks.setdefault(value.get("contentBlockIndex"), {})
            delta = value.get("delta", {})
            if "start" in value:
                block["toolUse"] = value["start"]["toolUse"] | {"input": ""}
            elif "text" in delta:
                block["text"] = block.get("text", "") + delta["text"]
            elif "toolUse" in delta:
                block["toolUse"]["input"] += delta["toolUse"]["input"]
            elif "reasoningContent" in delta:
                inner = block.setdefault("reasoningContent", {}).setdefault("reasoningText", {})
                inner |= delta["reasoningContent"]
            reason = value.get("stopReason", reason)
            usage = value.get("usage", usage)
        found = [block for index, block in blocks.items() if index is not None]
        for block in found:
            if "toolUse" in block:
                block["toolUse"]["input"] = json.loads(block["toolUse"]["input"])
        return found, reason, usage

    def ask():
        common = {
            "modelId": "anthropic.claude-sonnet-4-5-20250929-v1:0",
            "messages": messages,
            "system": [{"text": "Be brief."}],
            "toolConfig": {"tools": specs},
            "inferenceConfig": {"maxTokens": 500},
        }
        if streamed:
            return collected(client.converse_stream(**common)["stream"])
        answer = client.converse(**common)
        return answer["output"]["message"]["content"], answer["stopReason"], answer["usage"]

    blocks, reason, usage = ask()
    uses = [block["toolUse"] for block in blocks if "toolUse" in block]
    check("calls", [(use["name"], use["input"]) for use in uses], CALLS)
    check("text", blocks[1]["text"], FIRST)
    check("reasoning", blocks[0]["reasoningContent"]["reasoningText"]["text"], "Two cities, two tools.")
    check("stop reason", reason, "tool_use")
    found = (usage["inputTokens"], usage["cacheReadInputTokens"], usage["outputTokens"])
    check("usage", found, (70, 30, 40))
    messages.append({"role": "assistant", "content": blocks})
    results = [
        {"toolResult": {"toolUseId": use["toolUseId"], "content": [{"text": RESULTS[use["name"]]}]}}
        for use in uses
    ]
    messages.append({"role": "user", "content": results})
    blocks, reason, _ = ask()
    check("answer", blocks[0]["text"], LAST)
    check("stop reason", reason, "end_turn")


def main():
    program = sys.argv[1]
    # What the servers say at the end goes on to this program's output.
    servers = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    origins = json.loads(servers.stdout.readline())
    conversations = [
        ("openai-chat", openai_chat, {}),
        ("openai-responses", openai_responses, {}),
        ("openai-responses", openai_responses, {"chained": True}),
        ("azure-chat", openai_chat, {"azure": "2025-04-01-preview"}),
        ("azure-chat", openai_chat, {"azure": "v1"}),
        ("azure-responses", openai_responses, {"azure": "2025-04-01-preview"}),
        ("azure-responses", openai_responses, {"azure": "v1"}),
        ("anthropic-messages", anthropic_messages, {}),
        ("gemini-generate-content", gemini, {}),
        ("ollama-chat", ollama_chat, {}),
        ("bedrock-converse", bedrock, {}),
    ]
    for api, conversation, more in conversations:
        for streamed in (False, True):
            conversation(origins[api], streamed, **more)
            how = "streamed" if streamed else "whole"
            variant = "".join(f" {value}" if name == "azure" else f" {name}" for name, value in more.items())
            print(f"test sdk {api} {how}{variant} ... ok", flush=True)
    said, _ = servers.communicate(input="")
    print(said, end="")
    count = 2 * len(conversations)
    if servers.returncode != 0:
        raise SystemExit("the SDKs understood the servers, but a server found a request at fault")
    print(f"test result: ok. {count} passed; 0 failed; 0 ignored; 0 measured; 0 filtered out")


main()
