"""Stacks by boto3 alone, as somebody's own pipeline would make them; and what is there of a stack, by AWS's own answers.

    three_ways.py create NAME TEMPLATE PARAMETERS
    three_ways.py state NAME...

TEMPLATE and PARAMETERS are the two files that `glueup template save` writes. The state is one JSON document: each stack,
and the role that its output or parameter RoleName names. Nothing that only says when is in it. The endpoint, its region
and keys come from the environment.
"""

import json
import sys

import boto3

SOON = {"Delay": 1, "MaxAttempts": 60}
cloudformation, iam = boto3.client("cloudformation"), boto3.client("iam")
what, *rest = sys.argv[1:]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pairs(listed, key, value):
    return {one[key]: one[value] for one in listed}


def role(name):
    """All that IAM says of a role."""
    shown = iam.get_role(RoleName=name)["Role"]
    names = sorted(iam.list_role_policies(RoleName=name)["PolicyNames"])
    inline = {policy: iam.get_role_policy(RoleName=name, PolicyName=policy)["PolicyDocument"] for policy in names}
    tags = pairs(iam.list_role_tags(RoleName=name)["Tags"], "Key", "Value")
    named = {key: shown.get(key) for key in ("Arn", "Path", "Description", "MaxSessionDuration", "PermissionsBoundary")}
    return {**named, "trust": shown["AssumeRolePolicyDocument"], "inline": inline, "tags": tags}


def state(name):
    stack = cloudformation.describe_stacks(StackName=name)["Stacks"][0]
    parameters = pairs(stack["Parameters"], "ParameterKey", "ParameterValue")
    outputs = pairs(stack.get("Outputs", []), "OutputKey", "OutputValue")
    resources = cloudformation.describe_stack_resources(StackName=name)["StackResources"]
    return {
        "id": stack["StackId"],
        "status": stack["StackStatus"],
        "capabilities": stack.get("Capabilities"),
        "parameters": parameters,
        "outputs": outputs,
        "tags": pairs(stack.get("Tags", []), "Key", "Value"),
        "resources": sorted([r["LogicalResourceId"], r["ResourceType"], r["PhysicalResourceId"]] for r in resources),
        "template": cloudformation.get_template(StackName=name)["TemplateBody"],
        "role": role(outputs.get("RoleName") or parameters["RoleName"]),
    }


if what == "create":
    name, template, parameters = rest
    cloudformation.create_stack(
        StackName=name,
        TemplateBody=read(template),
        Parameters=json.loads(read(parameters)),
        Capabilities=["CAPABILITY_IAM"],
    )
    cloudformation.get_waiter("stack_create_complete").wait(StackName=name, WaiterConfig=SOON)
else:
    print(json.dumps({name: state(name) for name in rest}, sort_keys=True))
