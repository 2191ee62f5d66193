//! The mcp driver against real processes. The executable is also the guard and every server: it starts itself with
//! other arguments, so it brings its own harness.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "these are tests"
)]

mod calls;
mod eras;
mod fake;
mod harness;
mod isolation;
mod life;
mod orphans;
mod pins;
mod plans;
mod remote;
mod served;
mod speed;
#[path = "../suite/support/mod.rs"]
#[allow(dead_code, reason = "the other suite needs the rest")]
mod support;

use harness::test;
use served::{batch, catalogue, era, life as serving, passing, status};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("guard") => {
            let words: Vec<std::ffi::OsString> = std::env::args_os().skip(3).collect();
            let status = kontext_runtime::guard(&words[0], &words[1..]);
            std::process::exit(status.into());
        }
        Some("fake") => fake::serve(&words[1..]),
        Some("host") => orphans::host(&words[1..]),
        _ => harness::run(&words, TESTS),
    }
}

const TESTS: &[harness::Test] = &[
    test!(calls::a_structured_result),
    test!(calls::text_is_json_where_it_parses),
    test!(calls::a_complaint_is_a_failure),
    test!(calls::parts_of_unknown_kinds_are_named),
    test!(calls::digits_are_kept),
    test!(calls::arguments_by_name),
    test!(calls::parameters_of_a_tool_come_first),
    test!(calls::a_choice_is_not_made_by_name),
    test!(calls::a_bad_tool_costs_only_itself),
    test!(calls::unknown_tools_are_suggested),
    test!(calls::hits_are_mapped),
    test!(calls::questions_fail_the_call_and_are_told),
    test!(calls::a_call_is_made_again_when_the_server_wants_nothing_else),
    test!(calls::a_server_is_inspected),
    test!(pins::a_tool_that_is_what_it_was_is_called),
    test!(pins::a_changed_tool_is_not_called),
    test!(pins::tools_that_came_or_went_are_told_apart),
    test!(pins::what_cannot_be_locked_is_a_note),
    test!(eras::each_is_agreed_on),
    test!(eras::the_configuration_decides),
    test!(eras::a_refusal_is_told),
    test!(eras::an_early_end_is_told),
    test!(eras::a_hanging_handshake_is_cut),
    test!(eras::a_server_of_noise_is_shown),
    test!(life::one_process_serves_all_calls),
    test!(life::it_is_started_again_after_it_died),
    test!(life::the_older_era_is_told_the_root),
    test!(life::a_slow_call_is_cancelled_and_costs_no_other),
    test!(life::starting_has_its_own_time),
    test!(life::changed_tools_are_listed_again),
    test!(life::servers_start_side_by_side),
    test!(life::a_bad_server_costs_only_itself),
    test!(life::a_stubborn_server_delays_the_end_by_a_second_at_most),
    test!(life::secrets_stay_hidden),
    test!(isolation::long_lines_are_read),
    test!(isolation::what_is_larger_than_an_answer_is_said_so),
    test!(isolation::an_endless_line_ends_its_server),
    test!(isolation::a_flood_is_waded_through),
    test!(ignored isolation::a_flood_of_500_mb_is_waded_through),
    test!(isolation::an_answer_to_nothing_is_no_answer),
    test!(isolation::a_deaf_server_is_replaced),
    test!(isolation::a_list_that_never_comes_costs_its_call),
    test!(remote::both_eras_answer),
    test!(remote::odd_names_are_written_safely),
    test!(remote::headers_are_sent_and_hidden),
    test!(remote::answers_are_read_as_well_as_can_be),
    test!(remote::failures_say_what_happened),
    test!(remote::redirects_stay_at_the_origin),
    test!(remote::silence_is_cut),
    test!(orphans::nothing_is_left),
    test!(ignored orphans::nothing_is_left_in_500_rounds),
    test!(orphans::a_killed_guard_is_noticed),
    test!(orphans::a_dropped_runtime_leaves_nothing),
    test!(orphans::a_deaf_server_does_not_outlive_kontext),
    test!(era::each_client_reaches_each_server),
    test!(era::what_each_era_asks_for_is_there),
    test!(era::versions_and_metadata_are_held_to_the_protocol),
    test!(era::odd_beginnings_cost_nothing),
    test!(era::one_connection_serves_both_eras_in_any_order),
    test!(era::the_older_era_begins_with_initialize),
    test!(era::the_client_of_the_sdk_agrees),
    test!(era::what_cannot_be_read_is_answered_all_the_same),
    test!(era::methods_that_are_not_here_are_said_to_be_missing),
    test!(era::the_instructions_promise_no_notes_where_there_are_none),
    test!(era::who_waits_for_news_does_not_hold_the_end),
    test!(era::a_client_that_takes_no_answers_is_let_go),
    test!(batch::its_answers_come_in_one_list),
    test!(batch::what_may_not_be_in_one_is_told),
    test!(batch::a_cancelled_call_does_not_hold_it),
    test!(batch::other_revisions_have_none),
    test!(catalogue::pinned_tools_are_listed_without_their_server),
    test!(catalogue::unpinned_servers_are_waited_for_a_moment),
    test!(catalogue::a_call_need_not_wait_for_the_list),
    test!(catalogue::a_call_waits_for_its_own_server_alone),
    test!(catalogue::a_server_that_gives_no_tools_is_named),
    test!(catalogue::a_name_is_given_once),
    test!(catalogue::own_tools_are_there_where_something_answers),
    test!(passing::results_pass_as_they_are),
    test!(passing::what_no_type_holds_passes_all_the_same),
    test!(passing::annotations_of_tools_pass_as_they_are),
    test!(passing::a_line_that_cannot_be_read_fails_its_call_at_once),
    test!(passing::a_tool_that_no_client_takes_is_left_out),
    test!(passing::the_lock_says_what_is_left_out),
    test!(passing::over_http_it_passes_too),
    test!(passing::a_result_is_as_large_as_an_answer_may_be),
    test!(passing::odd_results_are_failures_in_words),
    test!(passing::a_tool_that_is_not_what_was_reviewed_is_not_called),
    test!(passing::a_cancelled_call_is_cancelled_upstream),
    test!(passing::progress_passes_to_who_asked_for_it),
    test!(passing::secrets_do_not_pass),
    test!(status::the_reason_is_in_the_conversation),
    test!(status::a_new_plan_is_served_at_once),
    test!(status::the_status_looks_again_itself),
    test!(status::calls_end_on_the_plan_they_began_on),
    test!(serving::the_end_of_the_input_is_the_end),
    test!(serving::calls_that_run_are_answered_and_those_that_hang_are_given_up),
    test!(serving::a_call_that_asked_for_progress_is_answered_after_the_input_ended),
    test!(serving::a_client_that_reads_nothing_does_not_hold_the_end),
    test!(serving::a_client_that_reads_nothing_is_asked_for_nothing_more),
    test!(serving::a_number_is_given_to_one_request_at_a_time),
    test!(serving::a_server_that_gets_more_tools_is_listed_again),
    test!(serving::servers_of_the_newer_era_are_subscribed_to),
    test!(serving::a_subscription_that_ended_is_asked_for_again),
    test!(serving::a_server_that_takes_no_subscription_is_served_all_the_same),
    test!(serving::a_server_behind_an_address_is_subscribed_to),
    test!(serving::a_server_that_was_started_again_is_listened_to),
    test!(ignored speed::a_call_costs_little),
];
