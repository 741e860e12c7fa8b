# Rules that call nvcc as Bazel's rules for CUDA do: in a sandbox, with next to no variables, with words in a file.
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

def _words(ctx, words):
    args = ctx.actions.args()
    args.use_param_file("@%s", use_always = True)
    args.set_param_file_format("multiline")
    args.add_all(words)
    return args

def _cuda_object_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".o")
    dependencies = ctx.actions.declare_file(ctx.label.name + ".d")
    words = ["-x", "cu", "-ccbin", "/usr/bin/gcc", "-I", ".", "-gencode=arch=compute_75,code=sm_75", "-t", "2"]
    words += ["-Xcompiler", "-g0", "-O2", "--compiler-options", "-fPIC,-ffunction-sections", "-Xptxas", "-v"]
    words += ["--device=cpu"] + ctx.attr.copts + ["-MD", "-MF", dependencies.path, "-c", ctx.file.src.path, "-o", out.path]
    ctx.actions.run(
        executable = ctx.var["nvcc"],
        arguments = [_words(ctx, words)],
        inputs = [ctx.file.src] + ctx.files.hdrs,
        outputs = [out, dependencies],
        env = {},
    )
    return [DefaultInfo(files = depset([out])), OutputGroupInfo(dependencies = depset([dependencies]))]

cuda_object = rule(
    implementation = _cuda_object_impl,
    attrs = {
        "src": attr.label(allow_single_file = True),
        "hdrs": attr.label_list(allow_files = True),
        "copts": attr.string_list(),
    },
)

def _program_impl(ctx):
    out = ctx.actions.declare_file(ctx.label.name)
    words = ["-o", out.path] + ctx.attr.front + [f.path for f in ctx.files.objects] + ctx.attr.linkopts
    ctx.actions.run(
        executable = ctx.var[ctx.attr.compiler],
        arguments = [_words(ctx, [ctx.expand_make_variables("linkopts", w, {}) for w in words])],
        inputs = ctx.files.objects,
        outputs = [out],
        env = {} if ctx.attr.compiler == "nvcc" else {"PATH": "/usr/bin:/bin"},
    )
    return [DefaultInfo(executable = out)]

# A program that the compiler of the variable `compiler` links.
program = rule(
    implementation = _program_impl,
    attrs = {
        "objects": attr.label_list(allow_files = True),
        "compiler": attr.string(),
        "front": attr.string_list(),
        "linkopts": attr.string_list(),
    },
    executable = True,
)
