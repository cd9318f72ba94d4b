"""What pyproject.toml cannot say: the resources lie beside the package, and are installed in it."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["meshgui*"]), "meshgui.resources"],
    package_dir={"meshgui.resources": "resources"},
    package_data={"meshgui": ["py.typed"], "meshgui.resources": ["**/*"]},
)
