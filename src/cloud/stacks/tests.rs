use super::*;

#[test]
fn a_stack_may_come_with_nothing_in_it() {
    let stack = description(aws_sdk_cloudformation::types::Stack::builder().build());
    assert_eq!((stack.name.as_str(), stack.last_change()), ("", None));
    let event = event(aws_sdk_cloudformation::types::StackEvent::builder().build());
    assert_eq!((event.at, event.reason), (None, None));
}

#[test]
fn a_change_is_younger_than_the_making() {
    let at = |seconds| Some(aws_smithy_types::DateTime::from_secs(seconds));
    let stack = aws_sdk_cloudformation::types::Stack::builder()
        .set_creation_time(at(10))
        .build();
    assert_eq!(
        description(stack.clone()).last_change().unwrap().unix_millis(),
        10_000
    );
    let stack = aws_sdk_cloudformation::types::Stack::builder()
        .set_creation_time(at(10))
        .set_last_updated_time(at(20))
        .build();
    assert_eq!(description(stack).last_change().unwrap().unix_millis(), 20_000);
}

#[test]
fn the_words_of_a_hook_stand_in_for_a_missing_reason() {
    let from = aws_sdk_cloudformation::types::StackEvent::builder()
        .hook_status_reason("no\u{1b}boundary")
        .resource_status(aws_sdk_cloudformation::types::ResourceStatus::CreateFailed)
        .build();
    let event = event(from);
    assert_eq!(
        (event.status.as_str(), event.reason.as_deref()),
        ("CREATE_FAILED", Some("no␛boundary"))
    );
}
