"""Numbers in workbooks, as Excel shows them."""

from __future__ import annotations

import pytest

from collections_app.parsing.office.spreadsheets.xlsx.number_formats import BUILT_IN, hides_text, write_value

MONEY = '_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)'
PHONE = "[<=9999999]###-####;(###) ###-####"
NOON = 45352.5  # on 2024-03-01


@pytest.mark.parametrize(
    ("value", "format", "shown"),
    [
        (3.0, "General", "3"),
        (0.1 + 0.2, "General", "0.3"),
        (123456789012.0, "General", "123456789012"),
        (1e300, "General", "1e+300"),
        (3.0, '"Kanne "General', "Kanne 3"),
        (1234.5, "#,##0.00", "1,234.50"),
        (-1234.5, "#,##0.00", "-1,234.50"),
        (-0.001, "0.00", "0.00"),
        (0.256, "0.0%", "25.6%"),
        (4.0, '0"%"', "4%"),
        (3.1, "0.##", "3.1"),
        (3.0, "0.##", "3"),
        (0.0, "#", ""),
        (0.5, "# ?/?", "0.5"),
        (12345.0, "0.00E+00", "1.23E+04"),
        (1234567.0, '0.0,,"M"', "1.2M"),
        (1e20, "0%", "10000000000000000000000%"),
        (2.5, "0", "3"),
        (0.125, "0.00", "0.13"),
        (2.675, "0.00", "2.68"),
        (0.00035, "#,##0.00%", "0.04%"),
        (11.0, '[<10]#" small"', "11"),
        (12.0, '"REQ-"0000', "REQ-0012"),
        (123456789.0, "000-00-0000", "123-45-6789"),
        (5551234.0, PHONE, "555-1234"),
        (5551234567.0, PHONE, "(555) 123-4567"),
        (12.5, "[$€-407] #,##0.00", "€ 12.50"),
        (12.5, "[Red]#,##0.00\\ [$kr-41D]", "12.50 kr"),
        (1234.5, MONEY, "$1,234.50"),
        (-3.0, MONEY, "$(3.00)"),
        (0.0, MONEY, "$-"),
        (2.0, '"yes";"never";"no"', "yes"),
        (-2.0, '"yes";"never";"no"', "never"),
        (0.0, '"yes";"never";"no"', "no"),
        (5.0, ";;;", ""),
        (5.0, ";;", ""),
    ],
)
def test_it_shows_a_number_as_its_format_says(value: float, format: str, shown: str) -> None:
    assert write_value(value, format) == shown


@pytest.mark.parametrize(
    ("value", "format", "shown"),
    [
        (NOON, "d/m/yy", "2024-03-01"),
        (NOON, "[$-409]d\\-mmm\\-yyyy;@", "2024-03-01"),
        (NOON, "m/d/yy h:mm", "2024-03-01 12:00"),
        (NOON - 0.5, "m/d/yy h:mm", "2024-03-01"),
        (NOON, "mmm yyyy", "2024-03"),
        (NOON, "yyyy", "2024"),
        (NOON, "h:mm AM/PM", "12:00"),
        (0.25, "hh:mm:ss", "06:00:00"),
        (1.5, "[h]:mm", "36:00"),
        (1.5, "[mm]:ss", "2160:00"),
        (0.001, "[s]", "86"),
        (59.0, "yyyy-mm-dd", "1900-02-28"),
        (61.0, "yyyy-mm-dd", "1900-03-01"),
        (-1.0, "yyyy-mm-dd", "-1"),
        (1e9, "yyyy-mm-dd", "1000000000"),
        (1e9, "[h]:mm", "1000000000"),
        (NOON, BUILT_IN[14], "2024-03-01"),
        (NOON, BUILT_IN[20], "12:00"),
        (NOON, BUILT_IN[31], "2024-03-01"),
    ],
)
def test_it_writes_dates_and_times_as_iso_does(value: float, format: str, shown: str) -> None:
    assert write_value(value, format) == shown


def test_days_may_count_from_1904() -> None:
    assert write_value(NOON - 1462, "yyyy-mm-dd h:mm", is_1904=True) == "2024-03-01 12:00"


@pytest.mark.parametrize(
    ("format", "expected"),
    [(";;;", True), ("0;;", False), (";;", False), (";;;@", False), ("0;0;0;", True), ('"";"";"";""', True)],
)
def test_it_knows_formats_that_show_nothing_of_a_text(format: str, expected: bool) -> None:
    assert hides_text(format) is expected
