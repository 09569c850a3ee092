"""Why each property is there: the shape of the bug behind it, and a small example of it broken.

Histories and prompts are in the shorthand of `strategies.shorthand`; where one wrong prompt cannot
show the bug, words say what the normalizer did.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Lesson(NamedTuple):
    """What is to be learned from a property that did not hold."""

    #: What happens to people when it does not.
    why: str
    #: The history, in shorthand.
    history: str
    #: A wrong prompt in shorthand; empty where the bug needs words.
    prompt: str = ""
    #: What the normalizer did.
    did: str = ""


LESSONS: Final[Mapping[str, Lesson]] = {
    "pairing/call_answered": Lesson(
        "After a crash or Ctrl-C a call has no output. The API refuses the whole request with a "
        "400, every retry too: the session is dead.",
        "U FC(a)",
        "U FC(a)",
    ),
    "pairing/answer_follows_call": Lesson(
        "Repairs that collect the missing outputs at the end let a user message come between: some "
        "APIs refuse that, and models take the output for that of another turn.",
        "FC(a) U",
        "FC(a) U FO(a,aborted)",
    ),
    "pairing/one_for_each_open_call": Lesson(
        "Code that keeps open calls in a dict by call id answers a repeated call once.",
        "FC(a) FC(a)",
        "FC(a) FC(a) FO(a,aborted)",
    ),
    "pairing/no_second_answer": Lesson(
        "Code that looks for the answer in the next item only makes up a second one for parallel "
        "calls: the model reads that the call failed, and that it did not.",
        "FC(a) FC(b) FO(a) FO(b)",
        "FC(a) FO(a,aborted) FC(b) FO(a) FO(b)",
    ),
    "pairing/says_aborted": Lesson(
        'Nobody knows whether the call ran. An empty or friendly text ("ok") reads like success, '
        "and "
        "the model goes on as if the file had been written.",
        "FC(a)",
        "FC(a) FO(a)",
    ),
    "pairing/found_nothing": Lesson(
        "Search outputs hold a list of tools instead of a text; a text in its place is a 400.",
        "TC(a)",
        "TC(a) TO(a,aborted)",
    ),
    "orphans/none_left": Lesson(
        "Compaction or a trimmed window drops a call and keeps its output; the API refuses an "
        "output whose call it does not see.",
        "U FO(a)",
        "U FO(a)",
    ),
    "orphans/answers_kept": Lesson(
        "Pruning by order or by count deletes real results: of an output that came early, or "
        "twice.",
        "FO(a) FC(a)",
        "FC(a)",
    ),
    "orphans/server_outputs_kept": Lesson(
        "The API ran the search itself: there is no call of ours, and yet nothing to prune.",
        "TO(a,server)",
        "U",
    ),
    "orphans/outputs_without_id_kept": Lesson(
        "An output without a call id reports an outside event. Code that looks up None prunes it.",
        "FO(null) U",
        "U",
    ),
    "identity/derived": Lesson(
        "Other runtimes that read the same record derive the same id; ids of one's own break that. "
        "Codex has uuid5(90d38d3e-6a5b-4d52-bfe2-2f1e634bfac4, 'fco:' + the call's item id) behind "
        "'fco_'; other types have their own prefix in both places.",
        "FC(a,id=fc_1)",
        "FC(a,id=fc_1) FO(a,aborted,id=fco_1)",
    ),
    "identity/none_for_old_calls": Lesson(
        "Records of older versions have no item ids. An id out of nothing is another one each "
        "time.",
        "FC(a)",
        "FC(a) FO(a,aborted,id=fco_1)",
    ),
    "identity/prefix": Lesson(
        "The API checks that an item's id begins as its type demands.",
        "CC(a,id=ctc_1)",
        "CC(a,id=ctc_1) CO(a,aborted,id=fco_1)",
    ),
    "identity/distinct": Lesson(
        "Ids of the call id alone, or of a constant, collide: the API refuses duplicates.",
        "FC(a,id=fc_1) FC(b,id=fc_2)",
        "FC(a,id=fc_1) FO(a,aborted,id=fco_1) FC(b,id=fc_2) FO(b,aborted,id=fco_1)",
    ),
    "identity/same_every_time": Lesson(
        "A random id changes the prompt with each request, and the prompt cache never hits.",
        "FC(a,id=fc_1)",
        did="made up a new `uuid4` on every call",
    ),
    "identity/same_at_every_place": Lesson(
        "Ids counted by position change when something is put before them.",
        "FC(a,id=fc_1)",
        did="numbered made-up outputs by their index",
    ),
    "identity/same_for_every_model": Lesson(
        "Ids that hash the whole call change when its media are stripped.",
        "FC(a,id=fc_1) U(,image)",
        did="derived the id of the stripped history",
    ),
    "identity/same_as_history_grows": Lesson(
        "Ids that depend on the length change with each turn: no cache hit in a long session.",
        "FC(a,id=fc_1) U",
        did="hashed the number of items into the id",
    ),
    "identity/same_in_every_process": Lesson(
        "What comes of hash(), of the order of a set or of the start time differs after a restart.",
        "FC(a,id=fc_1)",
        did="made the id of `hash(call_id)`, which is salted in each process",
    ),
    "idempotence/result_unchanged": Lesson(
        "Prompts are normalized again by proxies and on retries. What grows or shrinks then is "
        "wrong once already.",
        "FC(a)",
        did="answered every call that is followed by a made-up output once more",
    ),
    "idempotence/for_every_model": Lesson(
        "A prompt that was made for a text model must not change for a bigger one.",
        "U(,image)",
        did="put the image back in from a cache",
    ),
    "immutability/input_unchanged": Lesson(
        "Repairs made in place end up in the rollout: the record then claims that a call was "
        "aborted which in truth still ran.",
        "FC(a)",
        did="inserted the made-up output into the caller's list",
    ),
    "immutability/nothing_shared": Lesson(
        "What is shared can be edited: redaction or trimming of the prompt reaches the record.",
        "U(,image)",
        did="returned a new list of the caller's own dicts",
    ),
    "immutability/edits_stay_in_prompt": Lesson(
        "The same seen from the other side: somebody did edit the prompt.",
        "U",
        did="copied items but not their `content`",
    ),
    "immutability/prompts_independent": Lesson(
        "Cached prompts and shared constants leak from one session into another.",
        "FC(a)",
        did="inserted one module-level dict for every made-up output",
    ),
    "preservation/count": Lesson(
        "Items get lost that nobody thought of: types that are new, or look like orphans.",
        "U X",
        "U",
    ),
    "preservation/order": Lesson(
        "Code that groups outputs behind their calls turns the course of things around.",
        "FC(a) FC(b) FO(b) FO(a)",
        "FC(a) FC(b) FO(a) FO(b)",
    ),
    "preservation/items_unchanged": Lesson(
        "Typed models drop keys that they do not know, and turn 1.0 into 1.",
        "FC(a,zeta=1)",
        "FC(a) FO(a,aborted)",
    ),
    "preservation/well_formed_returned": Lesson(
        "A repair that touches what is whole breaks prompt caches and reasoning items.",
        "FC(a) U FO(a)",
        "FC(a) FO(a) U",
    ),
    "media/none_unsupported": Lesson(
        "After a switch to a text model one old screenshot makes every request fail.",
        "FC(a) FO(a,image)",
        "FC(a) FO(a,image)",
    ),
    "media/generated_image_emptied": Lesson(
        "Generated images are no part of a list and are easily forgotten.",
        "G",
        "G",
    ),
    "media/part_count_kept": Lesson(
        "Deleting parts leaves empty contents, which APIs refuse, and shifts what texts refer to.",
        "U(,text,image)",
        "U(,text)",
    ),
    "media/placeholder_in_place": Lesson(
        "Without a word about it the model does not know that there was an image.",
        "U(,image)",
        "U(,text)",
    ),
    "media/other_parts_unchanged": Lesson(
        "Stripping by looking for base64 in texts eats texts.",
        "U(,base64)",
        "U(,text)",
    ),
    "media/rest_of_item_unchanged": Lesson(
        "Rebuilding an item around its stripped parts loses its other keys.",
        "U(,image,id=msg_1)",
        "U(,text)",
    ),
    "media/sets_intersect": Lesson(
        "Two normalizers in a row (client and proxy) must strip what either would.",
        "U(,image,audio)",
        did="decided by the last model alone, with state from the first",
    ),
    "media/switching_back_restores": Lesson(
        "Stripping in place loses the image for good when the user switches back.",
        "U(,image)",
        did="kept the stripped item in a cache by id",
    ),
    "metamorphic/piecewise": Lesson(
        "What happens in one turn must not depend on unrelated turns: windows and limits show "
        "here.",
        "FC(a) FO(a)",
        did="looked at the last 50 items only",
    ),
    "metamorphic/renaming": Lesson(
        "Call ids are opaque. Prefix tests, trimming, case folding and number parsing confuse "
        "them.",
        'FC("") FO(a)',
        did="took the empty call id for none",
    ),
    "metamorphic/growing_keeps_prefix": Lesson(
        "If the prompt before the new turn changes, the prompt cache is lost: cost and latency.",
        "FC(a) U",
        did="moved made-up outputs to the end",
    ),
    "model/equals_specification": Lesson(
        "The sum of all rules: what no other property has a name for shows here.",
        "FC(a) FO(b)",
        "FC(a) FO(b)",
    ),
    "model/equals_codex": Lesson(
        "Specifications err, too: these prompts are what the released Codex CLI really sent.",
        "FC(a)",
        did="differed from a recorded request",
    ),
    "model/small_histories": Lesson(
        "Small cases are proved, not sampled: all 41,371 histories of up to four items.",
        "LS(a) CO(a)",
        did="let a custom output answer a shell call",
    ),
    "model/large_histories": Lesson(
        "A limit that nobody was to reach (1,000 items, 30,000 characters, 100 parts) shows "
        "only in the longest sessions, and a call loses its output there.",
        "FO(a)",
        did="kept the orphans that stand beyond the 1,000th item",
    ),
    "session/record_stays_true": Lesson(
        "A record that takes in made-up outputs lies to whoever resumes it.",
        "FC(a)",
        did="appended the made-up output to the live record",
    ),
    "session/live_record": Lesson(
        "A cache by length or by last item does not see that the record was rolled back, compacted "
        "or went on elsewhere.",
        "U FC(a) FO(a)",
        did="kept the prompt for as long as the record had the same number of items",
    ),
    "session/prompt_valid": Lesson(
        "The prompt of a live session, not of a copy, is what the API gets.",
        "FC(a)",
        did="repaired copies only when the session was resumed",
    ),
    "session/resume_same": Lesson(
        "A resumed session that sends another prompt loses its cache, and sometimes its sense.",
        "FC(a)",
        did="remembered which calls it had answered, in memory",
    ),
    "session/any_session": Lesson(
        "Bugs live where crash, fork, rollback, compaction and a model switch meet.",
        "U FC(a) U FO(a)",
        did="pruned the output that came after a fork",
    ),
    "session/real_sessions": Lesson(
        "Real sessions hold what nobody generates; each may end after any item.",
        "U R FC(a)",
        did="failed on a reasoning item before an open call",
    ),
    "work/linear": Lesson(
        "`insert` and `in` on lists are quadratic: a session of a day takes seconds for each "
        "request.",
        "FC(a)",
        did="inserted into the list from behind, one by one",
    ),
}
