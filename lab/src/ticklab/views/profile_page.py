# SPDX-License-Identifier: MIT
"""The report of `profile`: one HTML file, without scripts, that refers to no other file."""

from __future__ import annotations

from dataclasses import dataclass

from ticklab.explain.answer import Explanation
from ticklab.explain.profile import Profile
from ticklab.views import profiled, provenance, templates
from ticklab.views.explained import Explained


@dataclass(frozen=True)
class About:
    """The facts about the run that the page shows: the image, the board, and how the run ended."""

    image: str  # its name
    image_hash: str
    board: str
    ending: str


def render(profile: Profile, answer: Explanation, about: About) -> str:
    """Returns the HTML page. All names are escaped, because they come from the image."""
    (span,) = answer.spans
    template = templates.environment().get_template("profile.html.jinja")
    return template.render(
        profile=profile,
        about=about,
        kernel=profiled.kernel(profile),
        calls=Explained(answer, span, {}),
        stretches=profile.masked[: profiled.STRETCHES],
        latencies=list(profiled.latencies(profile)),
        most_functions=profiled.FUNCTIONS,
        grades=provenance.GRADES,
    )
