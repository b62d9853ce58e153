"""The result of a conversion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Tuple

from .errors import Finding, Findings


@dataclass(frozen=True)
class Report:
    """The result of a conversion."""

    passes: Tuple[str, ...] = ()
    """Names of the passes that changed a mesh, in order."""
    findings: Findings = field(default_factory=Findings)
    """Findings of passes and the writer; for facet.convert also of the reader."""
    size: int = 0
    """Size of the file, in bytes."""

    @property
    def warnings(self) -> List[Finding]:
        """Warnings, for example about data that the target cannot store."""
        return self.findings.warnings
