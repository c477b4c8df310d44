"""What the tests stand on holds for these, too: no network, no real home. Run by hand, where the programs are."""

from conftest import _certificates, _empty_repo, _sealed, git_repo, home

__all__ = ["_certificates", "_empty_repo", "_sealed", "git_repo", "home"]
