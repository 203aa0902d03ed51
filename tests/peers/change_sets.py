"""Change sets by boto3 alone, as a deployer's own script would use them.

    change_sets.py FOLDER

The endpoint, its region and an administrator's keys come from the environment. Prints a line a check; ends with 1 if
one is not as it should be.
"""

import os
import sys
import uuid

import boto3
from botocore.exceptions import ClientError, WaiterError

FOLDER = sys.argv[1]
TAG = uuid.uuid4().hex[:8]
SOON = {"Delay": 1, "MaxAttempts": 60}
NO_CHANGE = "The submitted information didn't contain changes"
cloudformation = boto3.client("cloudformation")
account = boto3.client("sts").get_caller_identity()["Account"]
wrong = []


def check(what, fine, got):
    print(f"{'ok' if fine else 'WRONG'}: {what}: {got}")
    if not fine:
        wrong.append(what)


def refused(what, code, call):
    try:
        call()
        check(what, False, "allowed")
    except ClientError as error:
        check(what, error.response["Error"]["Code"] == code, error.response["Error"]["Code"])


def ask(name, kind, description, capabilities=("CAPABILITY_IAM",), **more):
    values = {
        "AccountId": account,
        "ExternalId": f"id-{TAG}",
        "TrustedPrincipals": f"arn:aws:iam::{account}:root",
        "TrustedPrincipalPatterns": f"arn:aws:iam::{account}:{description}",
        **more,
    }
    with open(os.path.join(FOLDER, "connection.yaml"), encoding="utf-8") as file:
        body = file.read()
    return cloudformation.create_change_set(
        StackName=stack,
        ChangeSetName=name,
        ChangeSetType=kind,
        TemplateBody=body,
        Parameters=[{"ParameterKey": k, "ParameterValue": v} for k, v in values.items()],
        Capabilities=list(capabilities),
    )


def worked_out(name):
    """Waits as scripts do; the description."""
    try:
        cloudformation.get_waiter("change_set_create_complete").wait(
            StackName=stack, ChangeSetName=name, WaiterConfig=SOON
        )
    except WaiterError:
        pass
    return cloudformation.describe_change_set(StackName=stack, ChangeSetName=name)


def status():
    return cloudformation.describe_stacks(StackName=stack)["Stacks"][0]["StackStatus"]


def changes(description):
    return [
        (c["ResourceChange"]["Action"], c["ResourceChange"]["LogicalResourceId"], c["ResourceChange"].get("Replacement"))
        for c in description["Changes"]
    ]


stack = f"peer-sets-{TAG}"
refused(
    "a change set without the IAM acknowledgement",
    "InsufficientCapabilitiesException",
    lambda: ask("none", "CREATE", "role/a", capabilities=()),
)
refused("an update of what is not there", "ValidationError", lambda: ask("none", "UPDATE", "role/a"))

made = ask("first", "CREATE", "role/a")
seen = worked_out("first")
check("a new stack adds its role", changes(seen) == [("Add", "ConnectionRole", None)], changes(seen))
check("it can be executed", seen["ExecutionStatus"] == "AVAILABLE", seen["ExecutionStatus"])
check("its stack is in review", status() == "REVIEW_IN_PROGRESS", status())
cloudformation.delete_change_set(StackName=stack, ChangeSetName="first")
check("so it stays without the change set", status() == "REVIEW_IN_PROGRESS", status())
refused(
    "a change set that was deleted",
    "ChangeSetNotFound",
    lambda: cloudformation.describe_change_set(StackName=stack, ChangeSetName="first"),
)

ask("second", "CREATE", "role/a")
worked_out("second")
cloudformation.execute_change_set(StackName=stack, ChangeSetName="second")
cloudformation.get_waiter("stack_create_complete").wait(StackName=stack, WaiterConfig=SOON)
check("executed, it is made", status() == "CREATE_COMPLETE", status())
ids = {s["ChangeSetName"]: s["ExecutionStatus"] for s in cloudformation.list_change_sets(StackName=stack)["Summaries"]}
check("the list knows it", ids.get("second") in (None, "EXECUTE_COMPLETE") and "first" not in ids, ids)

ask("same", "UPDATE", "role/a")
seen = worked_out("same")
reason = seen.get("StatusReason", "")
check("the same again is nothing", seen["Status"] == "FAILED" and reason.startswith(NO_CHANGE), (seen["Status"], reason))
refused(
    "what holds nothing is not executed",
    "InvalidChangeSetStatus",
    lambda: cloudformation.execute_change_set(StackName=stack, ChangeSetName="same"),
)
ask("trust", "UPDATE", "role/b")
seen = worked_out("trust")
check("another trust changes the role", changes(seen) == [("Modify", "ConnectionRole", "False")], changes(seen))
ask("path", "UPDATE", "role/a", RolePath="/teams/")
seen = worked_out("path")
check("another path replaces it", changes(seen) == [("Modify", "ConnectionRole", "True")], changes(seen))
cloudformation.execute_change_set(StackName=stack, ChangeSetName="trust")
cloudformation.get_waiter("stack_update_complete").wait(StackName=stack, WaiterConfig=SOON)
check("executed, it is changed", status() == "UPDATE_COMPLETE", status())
refused(
    "one that was made for the stack as it was",
    "ChangeSetNotFound",
    lambda: cloudformation.execute_change_set(StackName=stack, ChangeSetName="path"),
)
cloudformation.delete_stack(StackName=stack)
cloudformation.get_waiter("stack_delete_complete").wait(StackName=stack, WaiterConfig=SOON)

if wrong:
    print("not as it should be:", *wrong, sep="\n  ")
    sys.exit(1)
