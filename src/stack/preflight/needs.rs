//! The actions that a deployment takes: what this program calls, and what CloudFormation's handlers call for it.

/// When an action is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// To make the stack.
    Make,
    /// To change it or delete it later.
    Later,
}

/// What a caller needs of CloudFormation: what this program itself calls.
pub(super) const STACK: &[(&str, When)] = &[
    ("cloudformation:CreateChangeSet", When::Make),
    ("cloudformation:DescribeChangeSet", When::Make),
    ("cloudformation:ExecuteChangeSet", When::Make),
    ("cloudformation:DescribeStacks", When::Make),
    ("cloudformation:DescribeStackEvents", When::Make),
    ("cloudformation:GetTemplate", When::Later),
    ("cloudformation:DeleteChangeSet", When::Later),
    ("cloudformation:DeleteStack", When::Later),
    // The ways out of a stack that is stuck.
    ("cloudformation:RollbackStack", When::Later),
    ("cloudformation:ContinueUpdateRollback", When::Later),
];

/// What the handler of `AWS::IAM::Role` calls, as its schema in the CloudFormation registry lists it, for what the
/// connection template asks of it. Wherobots' page lists less: it leaves out `GetRole`, `TagRole` and `DeleteRole`.
pub(super) const ROLE: &[(&str, When)] = &[
    ("iam:CreateRole", When::Make),
    ("iam:GetRole", When::Make),
    ("iam:TagRole", When::Make),
    ("iam:UpdateAssumeRolePolicy", When::Later),
    ("iam:UntagRole", When::Later),
    ("iam:ListRolePolicies", When::Later),
    ("iam:ListAttachedRolePolicies", When::Later),
    ("iam:DeleteRole", When::Later),
];

/// What the handler of `AWS::IAM::Policy` calls for an inline policy of a role.
pub(super) const POLICY: &[(&str, When)] = &[
    ("iam:PutRolePolicy", When::Make),
    ("iam:GetRolePolicy", When::Make),
    ("iam:DeleteRolePolicy", When::Later),
];
