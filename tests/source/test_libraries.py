"""Which files are a library's, and which are the user's."""

import os
import site
import sysconfig

import numpy as np
import pytest

from autograph.source.tree.libraries import is_library_file


@pytest.mark.parametrize("name", ["stdlib", "purelib", "platlib"])
def test_pythons_own_files_and_installed_packages_are_libraries(name):
    assert is_library_file(os.path.join(sysconfig.get_path(name), "package", "__init__.py"))


def test_packages_installed_for_one_user_are_libraries():
    assert is_library_file(os.path.join(site.getusersitepackages(), "package.py"))


def test_the_files_of_numpy_and_of_pythons_modules_are_libraries():
    assert is_library_file(np.__file__)
    assert is_library_file(os.__file__)


def test_this_file_is_the_users():
    assert not is_library_file(__file__)
