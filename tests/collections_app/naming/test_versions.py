"""Which version is newer, which one is meant, and that no question mixes several."""

from __future__ import annotations

import pytest

from collections_app.access.principal import Principal
from collections_app.catalog.names import choose_collections, choose_one
from collections_app.catalog.versions import (
    choose_versions,
    explain_passed_over,
    explain_unsearched,
    find_other_versions,
    find_passed_over,
)
from collections_app.catalog.visible import get_visible_collections
from collections_app.exceptions import CollectionNotFound, InvalidParameter
from collections_app.models import Collection, Tenant
from collections_app.naming.versions import find_version, list_named, make_sort_key
from tests.factories import make_tenant, put


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("9", "14"),
        ("14.2", "14.10"),
        ("14-rc1", "14"),
        ("15.0.0-rc.1", "15.0.0"),
        ("14", "14.1"),
        ("v14", "15"),
        ("15", "latest"),
        ("next", "1"),
        ("", "dev"),
        ("2023-11", "2024-02"),
    ],
)
def test_newer_sorts_higher(older: str, newer: str) -> None:
    assert make_sort_key(older) < make_sort_key(newer)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("14", "14.10.1"),
        ("v14", "14.10.1"),
        ("14.2", "14.2"),
        ("V14.2", "14.2"),
        ("1", None),
        ("15", "v15"),
        ("", None),
    ],
)
def test_a_version_is_itself_or_the_newest_that_goes_on_behind_it(wanted: str, found: str | None) -> None:
    assert find_version(wanted, ["14.2", "14.10.1", "v15", "140"]) == found


@pytest.fixture
def tenant(db: None) -> Tenant:
    """Two versions of one library, a library of one, and a collection by itself."""
    tenant = make_tenant("acme")
    for slug, library, version in (
        ("next-13", "next", "13.5"),
        ("next-14", "next", "14.1"),
        ("react", "react", "18"),
        ("plain", "", ""),
    ):
        Collection.objects.create(tenant=tenant, slug=slug, name=slug, library=library, version=version)
    return tenant


def choose(tenant: Tenant, name: str | None = None, version: str | None = None) -> list[str]:
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    return [collection.slug for collection in choose_versions(visible, name, version)]


@pytest.mark.parametrize(
    ("name", "version", "chosen"),
    [
        (None, None, ["next-14", "plain", "react"]),
        ("next", None, ["next-14"]),
        ("ACME/Next", None, ["next-14"]),
        ("next-13", None, ["next-13"]),
        ("next", "13", ["next-13"]),
        ("next-14", "v13.5", ["next-13"]),
        (None, "13", ["next-13"]),
        (None, "18", ["react"]),
        ("plain", None, ["plain"]),
        ("next,plain", None, ["next-14", "plain"]),
        ("next-13,next-14", None, ["next-13", "next-14"]),
        ("next-14, react", "18", None),
    ],
)
def test_a_question_is_put_to_one_version_of_a_library(
    tenant: Tenant, name: str | None, version: str | None, chosen: list[str] | None
) -> None:
    if chosen is None:
        with pytest.raises(InvalidParameter, match="Version '18' is not here"):
            choose(tenant, name, version)
    else:
        assert choose(tenant, name, version) == chosen


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [
        ("next-14", "13", "next-14 is version 14.1; searched next-13 as version asks."),
        ("Acme/Next-13", "latest", "next-13 is version 13.5; searched next-14 as version asks."),
        ("what next", "14", "next-rc is of no version; searched next-14 as version asks."),
        ("next,next-14", "13", "next-14 is version 14.1; searched next-13 as version asks."),
        ("next", "13", None),
        ("acme/next", "13", None),
        ("next-13", "13", None),
        ("all", "13", None),
        (None, "13", None),
    ],
)
def test_a_collection_that_was_named_is_not_swapped_for_another_version_without_a_word(
    tenant: Tenant, name: str | None, version: str, said: str | None
) -> None:
    Collection.objects.create(tenant=tenant, slug="next-rc", name="What next", library="next")
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    chosen = choose_versions(visible, name, version)
    passed_over = find_passed_over(visible, name, chosen)
    assert (explain_passed_over(passed_over, chosen, visible) if passed_over else None) == said


@pytest.mark.parametrize(
    ("name", "version", "said"),
    [
        ("next", "15", "Version '15' is not here; indexed: 14.1, 13.5."),
        ("plain", "1", "Version '1' is not here; what is indexed here names no version."),
        (None, "99", "indexed: 18, 14.1, 13.5."),
    ],
)
def test_a_version_that_is_not_there_is_refused_with_those_that_are(
    tenant: Tenant, name: str | None, version: str, said: str
) -> None:
    with pytest.raises(InvalidParameter) as refused:
        choose(tenant, name, version)
    assert said in refused.value.message


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("30 days on port 29", []),
        ("from version 29 to 30", ["29.0", "30.2"]),
        ("what is new in v30", ["30.2"]),
        ("synonyms in 29.0, curl", ["29.0"]),
        ("since 31.0", []),
        ("v29 or 29.0", ["29.0"]),
        ("conv29", []),
        ("version: 29", ["29.0"]),
        ("version=29", ["29.0"]),
        ("29.0, 30", ["29.0", "30.2"]),
        ("synonyms in 29.0.1", ["29.0"]),
        ("a sleep of 0.5 seconds and 30 retries", []),
        ("fetch 29 objects, Python 3.12", []),
        ("in v30 error 29", ["30.2"]),
        ("29.05 MB", []),
        ("30px", []),
    ],
)
def test_a_question_names_a_version_by_its_dots_or_by_what_stands_before_it(question: str, named: list[str]) -> None:
    assert list_named(question, ["27.1", "29.0", "30.2"]) == named


@pytest.mark.parametrize("folder", ["15.0", "v15-docs", "version-15", "docs/15.1"])
def test_a_folder_that_is_called_as_the_version_is_told(tenant: Tenant, folder: str) -> None:
    put(Collection.objects.get(slug="plain"), {f"{folder}/a.md": "# A\n", "150/a.md": "# A\n", "15.md": "# A\n"})
    with pytest.raises(InvalidParameter) as refused:
        choose(tenant, "plain", "v15")
    part = f"/{folder.rpartition('/')[2]}/" if "/" in folder else f"{folder}/"
    assert f'filters={{"path": {{"$contains": "{part}"}}}}.' in refused.value.message
    with pytest.raises(InvalidParameter) as refused:
        choose(tenant, "plain", "16")
    assert "$contains" not in refused.value.message


def test_of_several_folders_of_a_version_the_newest_is_told(tenant: Tenant) -> None:
    plain = Collection.objects.get(slug="plain")
    put(plain, {f"{folder}/a.md": "# A\n" for folder in ("14.1", "14.10", "14.2", "docs/2-start", "guide")})
    for version, part in (("14", "14.10/"), ("2", None), ("guide", None)):
        with pytest.raises(InvalidParameter) as refused:
            choose(tenant, "plain", version)
        assert (f'"{part}"' if part else "Leave version out") in refused.value.message


def test_a_version_is_told_as_unsearched_by_its_own_library() -> None:
    def make(library: str, version: str) -> Collection:
        return Collection(slug=f"{library}-{version}", library=library, version=version, tenant_id=1)

    alpha, beta = [make("alpha", "1.0"), make("alpha", "2.0"), make("alpha", "2.1")], make("beta", "1.0")
    said = 'The question names 1.0, which was not searched: version="1.0" does.'
    assert explain_unsearched([*alpha, beta], [alpha[2], beta], "alpha 1.0 objects") == said
    assert explain_unsearched([*alpha, beta], [alpha[1], beta], "alpha v2 objects") == ""
    assert 'version="2.1"' in explain_unsearched([*alpha, beta], [alpha[0], beta], "alpha v2 objects")
    assert explain_unsearched([*alpha, beta], [beta], "alpha 2.0 objects") == ""


def test_reading_sees_every_version(tenant: Tenant) -> None:
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    assert len(choose_collections(visible, None)) == 4
    assert [c.slug for c in choose_collections(visible, "next")] == ["next-14"]
    with pytest.raises(CollectionNotFound):
        choose_collections(visible, "nuxt")


def test_the_others_of_a_library_are_known_as_far_as_they_are_visible(tenant: Tenant) -> None:
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    by_slug = {collection.slug: collection for collection in visible}
    assert find_other_versions(visible, by_slug["next-13"]) == ["14.1"]
    assert find_other_versions([by_slug["next-13"]], by_slug["next-13"]) == []
    assert find_other_versions(visible, by_slug["plain"]) == []


def test_one_of_the_library_that_names_no_version_is_told_as_a_collection(tenant: Tenant) -> None:
    Collection.objects.create(tenant=tenant, slug="next-nightly", name="Nightly", library="next")
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    by_slug = {collection.slug: collection for collection in visible}
    assert find_other_versions(visible, by_slug["next-14"]) == ["13.5", "collection next-nightly"]
    assert find_other_versions(visible, by_slug["next-14"], [by_slug["next-nightly"]]) == ["13.5"]
    assert find_other_versions(visible, by_slug["next-nightly"]) == ["14.1", "13.5"]


def test_of_two_with_the_same_version_the_one_that_it_does_not_mean_is_told_as_a_collection(tenant: Tenant) -> None:
    for slug in ("next-12-api", "next-12-guides", "next-14-api"):
        version = slug.split("-")[1]
        Collection.objects.create(tenant=tenant, slug=slug, name=slug, library="next", version=version)
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    by_slug = {collection.slug: collection for collection in visible}
    told = find_other_versions(visible, by_slug["next-14"])
    assert told == ["14", "13.5", "12", "collection next-12-guides"]
    assert choose_versions(visible, "next", "12") == [by_slug["next-12-api"]]


def test_one_whose_slug_another_tenant_has_too_is_told_with_its_own(tenant: Tenant) -> None:
    Collection.objects.create(tenant=tenant, slug="nightly", name="Nightly", library="next")
    Collection.objects.create(tenant=make_tenant("other"), slug="nightly", name="Nightly")
    visible = get_visible_collections(Principal(is_superuser=True, user_id=1))
    served = next(collection for collection in visible if collection.slug == "next-14")
    assert find_other_versions(visible, served) == ["13.5", "collection acme/nightly"]


def test_libraries_of_two_tenants_are_two(tenant: Tenant) -> None:
    other = make_tenant("other")
    Collection.objects.create(tenant=other, slug="next-15", name="Next", library="next", version="15")
    visible = get_visible_collections(Principal(is_superuser=True, user_id=1))
    assert {c.slug for c in choose_versions(visible, None, None)} >= {"next-14", "next-15"}
    with pytest.raises(InvalidParameter, match="next-14, next-15"):
        choose_versions(visible, "next", None)


def test_two_of_one_slug_are_told_apart_by_their_tenants(tenant: Tenant) -> None:
    Collection.objects.create(tenant=make_tenant("other"), slug="plain", name="Plain")
    visible = get_visible_collections(Principal(is_superuser=True, user_id=1))
    with pytest.raises(InvalidParameter, match="acme/plain, other/plain"):
        choose_collections(visible, "plain")


def test_what_is_to_be_changed_is_a_library_only_where_it_has_one_version(tenant: Tenant) -> None:
    visible = get_visible_collections(Principal(tenant_id=tenant.pk))
    newest = choose_one(visible, "next")
    versions = [c.slug for c in visible if c.library == "next"]
    assert len(versions) > 1
    with pytest.raises(InvalidParameter) as refused:
        choose_one(visible, "NEXT", to_change=True)
    assert refused.value.details == {"collections": versions}
    assert choose_one(visible, newest.slug, to_change=True) == newest
    assert choose_one([newest], "next", to_change=True) == newest
