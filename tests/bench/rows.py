"""The rows of the bench, in the order of the table."""

from __future__ import annotations

from tests.bench.report import Row

ROWS = (
    Row("start", "start to first window, no book", "under 1.5 s", 1.5, "starting"),
    Row(
        "open",
        "open a 3,000-page scanned PDF, to first page seen",
        "under 1 s",
        1.0,
        "opening",
    ),
    Row(
        "turn",
        "page turn, p95, at 5 a second forward, back and at random",
        "under 150 ms",
        0.150,
        "turning",
    ),
    Row(
        "memory",
        "resident memory after walking all 3,000 pages, no engine loaded",
        "under 500 MB",
        500,
        "turning",
    ),
    Row(
        "block_lines",
        "longest block of the UI thread, the line reader reading the sample book",
        "under 50 ms",
        0.050,
        "blocking",
    ),
    Row(
        "block_tokens",
        "longest block of the UI thread, the fake engine at 500 pieces a second",
        "under 50 ms",
        0.050,
        "blocking",
    ),
    Row("stop_tokens", "stop, from key to idle, fake engine", "under 0.3 s", 0.3, "stopping"),
    Row(
        "stop_network",
        "stop, from key to idle, Unlimited-OCR (small random checkpoint)",
        "under 0.3 s",
        0.3,
        "stopping",
    ),
    Row(
        "stop_lines",
        "stop, from key to idle, line reader",
        "under the longest single call",
        None,
        "stopping",
    ),
    Row("reopen", "3,000 finished pages: reopen, to first page seen", "under 1 s", 1.0, "opening"),
    Row(
        "reopen_session",
        "3,000 finished pages: reopen without a window",
        "under 1 s",
        1.0,
        "finished",
    ),
    Row(
        "growth",
        "memory growth of a 3,000-page run with the fake engine, page 300 to page 3,000",
        "under 5 %",
        5,
        "growing",
    ),
    Row(
        "scroll",
        "page list, 3,000 pages: paint while scrolling, p95, as wide as it opens",
        "under 16 ms",
        0.016,
        "scrolling",
    ),
    Row(
        "scroll_wide",
        "page list, 3,000 pages: the same with some 90 pages in sight",
        "under 16 ms",
        0.016,
        "scrolling",
    ),
    Row(
        "typing",
        "typing in a page of 10,000 words: from a key to its letter painted, p95",
        "under 16 ms",
        0.016,
        "typing",
    ),
    Row(
        "next_doubt",
        "moving to the next doubt on another page, p95",
        "under 150 ms",
        0.150,
        "stepping",
    ),
    Row(
        "decode_cpu",
        "decoding on the CPU with the bundled reader's sizes: time of a token, eight pages side by"
        " side, beside `generate` of transformers, one core",
        "under a fifth",
        0.2,
        "decoding",
    ),
    Row("find", "find a word in 3,000 pages", "under 1 s", 1.0, "finished"),
    Row(
        "replace",
        "replace a word at 3 places a page on 1,000 pages of 300 words",
        "under 5 s",
        5.0,
        "replacing",
    ),
    Row("hyphens", "list the broken words of 3,000 pages", "under 6 s", 6, "finished"),
    Row("markdown", "export 1,000 pages as Markdown", "under 3 s", 3, "exporting"),
    Row("docx", "export 1,000 pages as DOCX", "under 20 s", 20, "exporting"),
    Row("epub", "export 1,000 pages as EPUB", "under 20 s", 20, "exporting"),
    Row("tei", "export 1,000 pages as TEI", "under 30 s", 30, "exporting"),
    Row("pdf", "export 1,000 scanned pages as searchable PDF", "under 60 s", 60, "paging"),
    Row("alto", "export 1,000 pages as ALTO", "under 30 s", 30, "paging"),
    Row("fuzz", "damaged files that did what must not happen, of 2,000", "none", 1, "fuzzing"),
    Row(
        "prepare_skew",
        "preparation: error of the lean found, real pages rotated by known angles, median",
        "under 0.1°",
        0.1,
        "preparing",
    ),
    Row("prepare_skew_most", "the same, 95 of 100 pages", "under 0.3°", 0.3, "preparing"),
    Row(
        "prepare_gutter",
        "preparation: spreads whose fold is found over 1 % of the width away",
        "under 5 %",
        5,
        "preparing",
    ),
    Row(
        "prepare_errors",
        "preparation: character error of the line reader on disturbed and prepared pages, above"
        " that on undisturbed ones",
        "under 0.5 points",
        0.5,
        "preparing",
    ),
    Row(
        "prepare_time",
        "preparation: find and do all that a page needs, A4 at 300 ppi, p95, time of both cores"
        " together",
        "under 0.7 s",
        0.7,
        "preparing",
    ),
    Row(
        "doubts_lines",
        "doubts, the line reader's text of real pages with 0.5-10 % of words wrong: wrong words"
        " that are not in the first 10 % of those ranked",
        "under 30 %",
        0.30,
        "doubting",
    ),
    Row(
        "doubts_lines_all",
        "doubts, the line reader's text of all pages: missed there of what a perfect ranking finds",
        "under 25 %",
        0.25,
        "doubting",
    ),
    Row(
        "doubts_model",
        "doubts, the small reader's text of pages with 0.5-10 % of words wrong: wrong words that"
        " are not in the first 10 % of those ranked",
        "under 30 %",
        0.30,
        "doubting",
    ),
    Row(
        "doubts_model_all",
        "doubts, the small reader's text of all pages: missed there of what a perfect ranking"
        " finds",
        "under 25 %",
        0.25,
        "doubting",
    ),
    Row(
        "suggestions",
        "doubts, the line reader's text of all pages: letters wrong that would be left if every"
        " word that the lists have for a doubt were taken",
        "under 95 %",
        0.95,
        "suggesting",
    ),
    Row("doubts_build", "doubts: judge 1,000 pages read twice", "under 20 s", 20, "doubting"),
    Row(
        "doubts_edit",
        "doubts: follow a letter typed into a page of 20,000 words and go to the next, p95",
        "under 50 ms",
        0.050,
        "doubting",
    ),
    Row(
        "honesty_false",
        "honesty checks, both readers' texts of real pages: alarms on pages with under 2 % of"
        " letters wrong",
        "at most 1 in 15",
        1 / 15,
        "honest",
    ),
    Row(
        "honesty_missed",
        "honesty checks, both readers' texts of real pages: pages with over 10 % of letters wrong"
        " without an alarm",
        "at most 20 %",
        0.20,
        "honest",
    ),
    Row(
        "honesty_time",
        "honesty checks: what they cost a page beside reading, at most",
        "under 50 ms",
        0.050,
        "honest",
    ),
    Row(
        "honesty_book",
        "honesty checks: compare 1,000 pages with each other, in the background",
        "under 10 s",
        10,
        "honest",
    ),
)
BY_NAME = {row.name: row for row in ROWS}
