package z3

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// This file defines the functions of the shared library that are used. Handles are pointers into its memory.

// names are tried in this order.
var names = []string{"libz3.so.4", "libz3.so", "libz3.dylib"}

// dlopen and bind load a library and set a function variable to one of its functions; nil where this build cannot.
var (
	dlopen func(name string) (handle uintptr, err error)
	bind   func(handle uintptr, name string, f any) error
)

// keepInterrupt returns a function that puts back what happens at SIGINT; nil where that is not known.
var keepInterrupt func() (restore func())

type library struct {
	mkConfig     func() uintptr
	delConfig    func(config uintptr)
	mkContext    func(config uintptr) uintptr
	delContext   func(ctx uintptr)
	getErrorCode func(ctx uintptr) uint32
	getErrorMsg  func(ctx uintptr, code uint32) string

	mkBoolSort     func(ctx uintptr) uintptr
	mkIntSort      func(ctx uintptr) uintptr
	mkIntSymbol    func(ctx uintptr, i int32) uintptr
	mkStringSymbol func(ctx uintptr, s string) uintptr
	mkConst        func(ctx, symbol, sort uintptr) uintptr
	mkNot          func(ctx, a uintptr) uintptr
	mkOr           func(ctx uintptr, n uint32, asts []uintptr) uintptr
	mkLt           func(ctx, a, b uintptr) uintptr

	mkParams      func(ctx uintptr) uintptr
	paramsIncRef  func(ctx, params uintptr)
	paramsDecRef  func(ctx, params uintptr)
	paramsSetUint func(ctx, params, symbol uintptr, v uint32)
	paramsSetBool func(ctx, params, symbol uintptr, v bool)

	mkSimpleSolver         func(ctx uintptr) uintptr
	solverIncRef           func(ctx, solver uintptr)
	solverSetParams        func(ctx, solver, params uintptr)
	solverAssert           func(ctx, solver, ast uintptr)
	solverCheckAssumptions func(ctx, solver uintptr, n uint32, asts []uintptr) int32
	solverGetModel         func(ctx, solver uintptr) uintptr
	solverGetUnsatCore     func(ctx, solver uintptr) uintptr

	modelIncRef     func(ctx, model uintptr)
	modelDecRef     func(ctx, model uintptr)
	modelEval       func(ctx, model, ast uintptr, complete bool, v *uintptr) bool
	getBoolValue    func(ctx, ast uintptr) int32
	getNumeralInt64 func(ctx, ast uintptr, v *int64) bool

	astVectorIncRef func(ctx, vector uintptr)
	astVectorDecRef func(ctx, vector uintptr)
	astVectorSize   func(ctx, vector uintptr) uint32
	astVectorGet    func(ctx, vector uintptr, i uint32) uintptr

	evalSMTLIB2 func(ctx uintptr, text string) string
}

var load = sync.OnceValues(func() (*library, error) {
	handle, err := open(names)
	if err != nil {
		return nil, err
	}
	z := new(library)
	for name, f := range map[string]any{
		"Z3_mk_config": &z.mkConfig, "Z3_del_config": &z.delConfig, "Z3_mk_context": &z.mkContext, "Z3_del_context": &z.delContext,
		"Z3_get_error_code": &z.getErrorCode, "Z3_get_error_msg": &z.getErrorMsg,
		"Z3_mk_bool_sort": &z.mkBoolSort, "Z3_mk_int_sort": &z.mkIntSort, "Z3_mk_int_symbol": &z.mkIntSymbol,
		"Z3_mk_string_symbol": &z.mkStringSymbol, "Z3_mk_const": &z.mkConst, "Z3_mk_not": &z.mkNot, "Z3_mk_or": &z.mkOr, "Z3_mk_lt": &z.mkLt,
		"Z3_mk_params": &z.mkParams, "Z3_params_inc_ref": &z.paramsIncRef, "Z3_params_dec_ref": &z.paramsDecRef,
		"Z3_params_set_uint": &z.paramsSetUint, "Z3_params_set_bool": &z.paramsSetBool, "Z3_mk_simple_solver": &z.mkSimpleSolver, "Z3_solver_inc_ref": &z.solverIncRef,
		"Z3_solver_set_params": &z.solverSetParams, "Z3_solver_assert": &z.solverAssert,
		"Z3_solver_check_assumptions": &z.solverCheckAssumptions, "Z3_solver_get_model": &z.solverGetModel,
		"Z3_solver_get_unsat_core": &z.solverGetUnsatCore, "Z3_model_inc_ref": &z.modelIncRef, "Z3_model_dec_ref": &z.modelDecRef,
		"Z3_model_eval": &z.modelEval, "Z3_get_bool_value": &z.getBoolValue, "Z3_get_numeral_int64": &z.getNumeralInt64,
		"Z3_ast_vector_inc_ref": &z.astVectorIncRef, "Z3_ast_vector_dec_ref": &z.astVectorDecRef, "Z3_ast_vector_size": &z.astVectorSize,
		"Z3_ast_vector_get": &z.astVectorGet, "Z3_eval_smtlib2_string": &z.evalSMTLIB2,
	} {
		if err := bind(handle, name, f); err != nil {
			return nil, fmt.Errorf("solver z3: %w: the library is too old, or not Z3", err)
		}
	}
	return z, nil
})

// open opens the first library there is.
func open(names []string) (handle uintptr, err error) {
	if dlopen == nil {
		return 0, errors.New("solver z3: this heddle cannot load libraries: build it with cgo, or with -tags z3, on a platform that has them, or use the built-in solver")
	}
	runtime.LockOSThread() // what dlopen failed with is kept by thread
	defer runtime.UnlockOSThread()
	var first error
	for _, name := range names {
		handle, err := dlopen(name)
		if err == nil {
			return handle, nil
		}
		if first == nil {
			first = err
		}
	}
	return 0, fmt.Errorf("solver z3: %w: install the Z3 library (Debian: libz3-4), or use the built-in solver", first)
}

// Eval runs SMT-LIB text in a context of its own, and returns what Z3 prints.
func Eval(text string) (string, error) {
	z, err := load()
	if err != nil {
		return "", err
	}
	config := z.mkConfig()
	ctx := z.mkContext(config)
	z.delConfig(config)
	defer z.delContext(ctx)
	if keepInterrupt != nil {
		defer keepInterrupt()()
	}
	return z.evalSMTLIB2(ctx, text), nil
}
