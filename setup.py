"""Puts `templates` into the wheel, where docsmcp_site finds them. Everything else about the package is in pyproject.toml."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildWithTemplates(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            shutil.copytree("templates", Path(self.build_lib) / "docsmcp_site" / "templates", dirs_exist_ok=True)


setup(cmdclass={"build_py": BuildWithTemplates})
