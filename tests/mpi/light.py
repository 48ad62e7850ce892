"""Imported first, it lets `autograph.errors` and `autograph.parallel` be imported without the rest
of the package, which knows nothing of them and takes seconds where all cores have other work."""

import sys
import types

from tests.support.tree import ROOT

package = types.ModuleType("autograph")
package.__path__ = [str(ROOT / "autograph")]
sys.modules["autograph"] = package
