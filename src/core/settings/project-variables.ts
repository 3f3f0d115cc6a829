// Which environment variables a project's settings may set: not those that choose programs, code or where requests go.

/**
 * False for names by which a file in a folder would get code into commands that run unasked, redirect requests, or reach
 * Deft itself. Case does not matter, since Windows ignores it.
 */
export function mayProjectSet(variable: string): boolean {
  const name = variable.toUpperCase();
  return !exact.has(name) && !patterns.some((pattern) => pattern.test(name));
}

const patterns = [
  // Where requests go and with which credentials; what Deft does.
  /^ANTHROPIC_/,
  /^CLAUDE_(CONFIG_DIR|ENV_FILE)$|^CLAUDE_CODE_(?!MAX_OUTPUT_TOKENS$|DISABLE_)/,
  /^(DEFT|VSCODE|ELECTRON|AWS|AZURE|GOOGLE|GCLOUD|CLOUDSDK|CLOUD_ML|GCE)_/,
  /_PROXY$|^NODE_(EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)$|^SSL_CERT_|^(CURL|REQUESTS)_CA_BUNDLE$/,
  // Code that a program loads when it starts.
  /^(LD|DYLD)_|^_?(JAVA|JDK)_.*OPTIONS$|^(BASH_ENV|ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS[0-4]|IFS|ZDOTDIR|FPATH|CDPATH|GLOBIGNORE)$/,
  /^(PYTHON(PATH|HOME|STARTUP|INSPECT|WARNINGS|BREAKPOINT|USERBASE|EXECUTABLE|PLATLIBDIR)|PERL5.*|PERLLIB|RUBY(OPT|LIB)|NODE_(OPTIONS|PATH|REPL_.*)|LUA_.*|PHPRC|PHP_INI_SCAN_DIR)$/,
  /^(GIT|SSH|RUSTC|CARGO|RUSTUP|NPM_CONFIG|YARN|PNPM|BUN|DENO|PIP|UV|GRADLE|MAVEN|MVN|DOTNET|CORECLR|COR|COMPLUS|DOCKER|KUBE)_/,
  /^(RUSTC|CC|CXX|LD|AR|GOFLAGS|GOPROXY|GOROOT|GOPATH|MAKEFLAGS|GNUMAKEFLAGS|MAKEFILES|RUSTFLAGS|CFLAGS|LDFLAGS)$/,
  /^(LESS.*|MORE|PAGER|MANPAGER|MANOPT|EDITOR|VISUAL|BROWSER|GREP_OPTIONS|RIPGREP_CONFIG_PATH|FZF_.*|BAT_.*|TAR_OPTIONS|GCONV_PATH|LOCPATH|NLSPATH|TERMINFO.*|TERMCAP)$/,
  // Where programs are and what they take for home.
  /^(PATH|PATHEXT|SHELL|COMSPEC|HOME|USER|LOGNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAM.*|SYSTEMROOT|WINDIR|TMP|TEMP|TMPDIR|PSMODULEPATH|XDG_.*)$/,
];

const exact = new Set([
  'OPENSSL_CONF',
  'OPENSSL_MODULES',
  'KUBECONFIG',
  'HOSTALIASES',
  'RES_OPTIONS',
  'NETRC',
  'CURL_HOME',
  'WGETRC',
  'MALLOC_CONF',
]);
