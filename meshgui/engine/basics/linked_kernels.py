"""Compiles kernels for the kernels that call them, which takes a good third less than for Python.

Numba makes machine code of every function that it compiles, and a wrapper through which Python calls it. A
kernel that calls another one uses neither: the optimised code of the other is linked into it. So a kernel is
compiled for its callers by a dispatcher of its own, without both, and is kept in files of its own.
"""

from __future__ import annotations

from typing import Any, Final

from llvmlite import binding
from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags, compile_extra, compile_result
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import Environment, lookup_environment
from numba.core.registry import CPUDispatcher

_ENVIRONMENT: Final = "_ZN08NumbaEnv"  # how the names of these begin
_KEPT: Final = ("fndesc", "signature", "environment", "reload_init", "referenced_envs")


class _LinkedLibrary(JITCodeLibrary):
    """Code of which no machine code is made, and which is optimised in full in the kernels that call it."""

    def _optimize_final_module(self) -> None:
        """See CPUCodeLibrary: its first pass alone, which takes the callees in and tidies up after them."""
        passes, builder = self._codegen._module_pass_manager(  # noqa: SLF001
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def environments(self) -> list[Environment]:
        """Those with the Python objects that its code reads, for example to raise an error with a value."""
        text = str(self._final_module)
        declared = (variable.name for variable in self._final_module.global_variables)
        used = [name for name in declared if name.startswith(_ENVIRONMENT) and text.count(name) > 1]
        return [environment for name in used if (environment := lookup_environment(name)) is not None]


def _make_known(context: Any, environment: Environment) -> None:  # noqa: ANN401 - of Numba
    """Let machine code read an environment: Numba does it where it makes that of the kernel itself."""
    name = environment.env_name
    module = context.create_module(name)
    context.declare_env_global(module, name)
    library = context.codegen().create_library(name)
    library.add_ir_module(module)
    library.finalize()
    context.codegen().set_env(name, environment)


def _hands_on_arrays(args: tuple[Any, ...]) -> bool:
    """Whether the first argument is a state: to hand all its arrays on, one by one, takes time."""
    return bool(args) and isinstance(args[0], types.BaseNamedTuple)


class _LinkedCompiler(_FunctionCompiler):
    def _compile_core(self, args: Any, return_type: Any) -> Any:  # noqa: ANN401 - of Numba
        flags: Any = Flags()
        target = self.targetdescr
        target.options.parse_as_flags(flags, self.targetoptions)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        flags.forceinline = flags.forceinline or _hands_on_arrays(args)
        context = target.target_context
        library = _LinkedLibrary(context.codegen(), self.py_func.__qualname__)
        found = compile_extra(
            target.typing_context, context, self.py_func, args, return_type, flags, self.locals, library
        )
        library.finalize()
        found = found._replace(entry_point=object(), referenced_envs=library.environments())
        if found.environment in found.referenced_envs:
            _make_known(context, found.environment)
        context.insert_user_function(found.entry_point, found.fndesc, [library])
        return found


class _LinkedCacheImpl(CompileResultCacheImpl):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        """See CacheImpl: files hold kernels of one kind."""
        return f"linked-{super().get_filename_base(fullname, abiflags)}"

    def reduce(self, data: Any) -> Any:  # noqa: ANN401 - of Numba
        """See CacheImpl."""
        data.fndesc.typemap = data.fndesc.calltypes = None  # which cannot always be pickled
        kept = {name: getattr(data, name) for name in _KEPT}
        return data.library.name, data.library._get_module_for_linking().as_bitcode(), kept  # noqa: SLF001

    def rebuild(self, target_context: Any, reduced_data: Any) -> Any:  # noqa: ANN401 - of Numba
        """See CacheImpl."""
        name, code, kept = reduced_data
        for initialize in kept["reload_init"]:
            initialize()
        for environment in kept["referenced_envs"]:
            _make_known(target_context, environment)
        library = _LinkedLibrary(target_context.codegen(), name)
        library._final_module = binding.parse_bitcode(code)  # noqa: SLF001
        library._finalize_final_module()  # noqa: SLF001
        return compile_result(
            typing_context=target_context.typing_context,
            target_context=target_context,
            entry_point=object(),
            objectmode=False,
            library=library,
            **kept,
        )


class _LinkedCache(FunctionCache):
    _impl_class = _LinkedCacheImpl


class LinkedDispatcher(CPUDispatcher):
    """Compiles a kernel for the types with which others call it."""

    def __init__(self, dispatcher: CPUDispatcher) -> None:
        """For the kernel of a dispatcher that Python calls."""
        function, options = dispatcher.py_func, dispatcher.targetoptions
        super().__init__(function, targetoptions=options)
        self._compiler = _LinkedCompiler(function, self.targetdescr, options, {}, Compiler)
        self._cache = _LinkedCache(function)

    def add_overload(self, cres: Any) -> None:  # noqa: ANN401 - of Numba
        """Note what was compiled; there is nothing for Python to call."""
        self.overloads[tuple(cres.signature.args)] = cres
