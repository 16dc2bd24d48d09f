#!/usr/bin/env python3
"""What others make of our requests to Bedrock, and of the frames in our tests.

    python3 oracle.py < questions > answers

Reads one JSON object a line and answers each with one. It shares no code with the Rust adapter:
"own" is the answer of this script, which needs nothing but Python 3.11; "botocore" that of the official
SDK's signer, frame parser and service model, or "missing" where that is not installed. An answer is
"ok" or says what is wrong. The questions are

  * {"kind": "signature", "method", "url", "headers": [[name, value]…], "body", "access_key_id",
     "secret", "token", "region"}: does the signature of this request hold?
  * {"kind": "frames", "hex"}: the frames in these bytes; "own" is null, "botocore" a list of
     [message type, name, payload];
  * {"kind": "path", "model", "operation"}: "own" is null, "botocore" the path at which it asks the model;
  * {"kind": "request", "body"}: does the body fit the service's model of Converse? "own" is null.
"""

import base64
import datetime
import hashlib
import hmac
import json
import re
import sys
import urllib.parse

try:
    import botocore.auth
    import botocore.awsrequest
    import botocore.credentials
    import botocore.eventstream
    import botocore.serialize
    import botocore.session
    import botocore.validate
except ImportError:
    botocore = None

SERVICE = "bedrock"


# ---------------------------------------------------------------- signatures

def parts_of(authorization):
    """The scope's date and region, the signed headers and the signature."""
    algorithm, rest = authorization.split(" ", 1)
    assert algorithm == "AWS4-HMAC-SHA256", algorithm
    fields = dict(field.strip().split("=", 1) for field in rest.split(","))
    access, date, region, service, end = fields["Credential"].split("/")
    assert (service, end) == (SERVICE, "aws4_request"), fields["Credential"]
    return access, date, region, fields["SignedHeaders"].split(";"), fields["Signature"]


def hmac_of(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def verify(question):
    """As the documentation of SigV4 describes it."""
    headers = {name.lower(): value for name, value in question["headers"]}
    access, date, region, signed, signature = parts_of(headers["authorization"])
    assert access == question["access_key_id"], "another access key"
    assert region == question["region"], "another region"
    stamp = headers["x-amz-date"]
    assert stamp.startswith(date), "the scope has another date"
    then = datetime.datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
    age = abs((datetime.datetime.now(datetime.timezone.utc) - then).total_seconds())
    assert age < 300, f"the signature is {age} s old"
    assert signed == sorted(signed), "the signed headers are not sorted"
    for name in headers:
        wanted = name in ("host", "content-type") or name.startswith("x-amz-")
        assert not wanted or name in signed, f"{name} is not signed"
    assert headers.get("x-amz-security-token") == question["token"], "another token"
    url = urllib.parse.urlsplit(question["url"])
    # What stands in the path is encoded once more.
    path = "/".join(urllib.parse.quote(piece, safe="-_.~") for piece in url.path.split("/"))
    query = sorted(urllib.parse.parse_qsl(url.query, keep_blank_values=True))
    quoted = [tuple(urllib.parse.quote(text, safe="-_.~") for text in pair) for pair in query]
    lines = [question["method"], path, "&".join("=".join(pair) for pair in quoted)]
    lines += [f"{name}:{' '.join(headers[name].split())}" for name in signed]
    lines += ["", ";".join(signed), hashlib.sha256(question["body"].encode()).hexdigest()]
    hashed = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    scope = f"{date}/{region}/{SERVICE}/aws4_request"
    key = ("AWS4" + question["secret"]).encode()
    for step in (date, region, SERVICE, "aws4_request"):
        key = hmac_of(key, step)
    expected = hmac_of(key, f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{hashed}").hex()
    assert hmac.compare_digest(expected, signature), "the signature does not hold"


def verify_with_botocore(question):
    headers = {name.lower(): value for name, value in question["headers"]}
    _, _, region, signed, signature = parts_of(headers["authorization"])
    ours = ("host", "x-amz-date", "x-amz-security-token")
    request = botocore.awsrequest.AWSRequest(
        method=question["method"],
        url=question["url"],
        headers={name: headers[name] for name in signed if name not in ours},
        data=question["body"].encode(),
    )
    credentials = botocore.credentials.Credentials(
        question["access_key_id"], question["secret"], question["token"]
    )
    signer = botocore.auth.SigV4Auth(credentials, SERVICE, region)
    request.context["timestamp"] = headers["x-amz-date"]
    signer._modify_request_before_signing(request)
    canonical = signer.canonical_request(request)
    text = signer.string_to_sign(request, canonical)
    assert signer.signature(text, request) == signature, "botocore signs otherwise:\n" + canonical


# ---------------------------------------------------------------- frames and bodies

def frames(data):
    buffer = botocore.eventstream.EventStreamBuffer()
    buffer.add_data(data)
    found = []
    for message in buffer:
        kind = message.headers[":message-type"]
        name = message.headers.get(":event-type") or message.headers.get(":exception-type")
        found.append([kind, name, message.payload.decode()])
    return found


def operation(name):
    session = botocore.session.Session()
    return session.get_service_model("bedrock-runtime").operation_model(name)


def path_of(question):
    serializer = botocore.serialize.create_serializer("rest-json", include_validation=False)
    params = {"modelId": question["model"], "messages": []}
    return serializer.serialize_to_request(params, operation(question["operation"]))["url_path"]


def prepared(shape, value, path, wrong):
    """The value as the SDK takes it, with bytes for base64; what does not fit goes to `wrong`."""
    kind = shape.type_name
    if kind == "structure":
        members = shape.members
        if not isinstance(value, dict):
            return value
        if getattr(shape, "is_document_type", False):
            return value
        return {
            name: prepared(members[name], inner, f"{path}.{name}", wrong) if name in members else inner
            for name, inner in value.items()
        }
    if kind == "list" and isinstance(value, list):
        return [prepared(shape.member, inner, f"{path}[]", wrong) for inner in value]
    if kind == "blob" and isinstance(value, str):
        return base64.b64decode(value, validate=True)
    if kind == "string" and isinstance(value, str):
        most = shape.metadata.get("max", len(value))
        pattern = shape.metadata.get("pattern")
        if shape.enum and value not in shape.enum:
            wrong.append(f"{path} is {value!r}, none of {shape.enum}")
        if len(value) > most or (pattern and not re.fullmatch(pattern, value)):
            wrong.append(f"{path} is {value!r}")
    return value


def check_request(body):
    shape = operation("Converse").input_shape
    wrong = []
    params = prepared(shape, body, "", wrong)
    report = botocore.validate.ParamValidator().validate({"modelId": "m", **params}, shape)
    if report.has_errors():
        wrong.append(report.generate_report())
    assert not wrong, "; ".join(wrong)


# ---------------------------------------------------------------- questions

def outcome(check, *arguments):
    try:
        found = check(*arguments)
        return "ok" if found is None else found
    except Exception as error:  # noqa: BLE001: whatever is wrong is the answer
        return f"{type(error).__name__}: {error}"


def answer(question):
    kind = question["kind"]
    if kind == "signature":
        own, theirs = outcome(verify, question), lambda: outcome(verify_with_botocore, question)
    elif kind == "frames":
        own, theirs = None, lambda: outcome(frames, bytes.fromhex(question["hex"]))
    elif kind == "path":
        own, theirs = None, lambda: outcome(path_of, question)
    else:
        own, theirs = None, lambda: outcome(check_request, question["body"])
    return {"own": own, "botocore": "missing" if botocore is None else theirs()}


def main():
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line)), ensure_ascii=False))


main()
