"""How far from the fair share Book Festival's win chances may lie: what findings call and charts shade."""

from __future__ import annotations

#: As a part of the fair share: an edge is one whether four or six play.
POLICY_REACH, ANIMAL_REACH, SEAT_REACH = 0.40, 0.10, 0.06
