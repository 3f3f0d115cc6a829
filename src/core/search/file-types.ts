// File types by ripgrep's names, the common ones, for searches without ripgrep.

const types: Record<string, string> = {
  c: '*.{c,h}',
  cpp: '*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}',
  cs: '*.cs',
  css: '*.{css,scss}',
  dart: '*.dart',
  docker: '*Dockerfile*',
  elixir: '*.{ex,exs,eex,heex}',
  go: '*.go',
  graphql: '*.{graphql,graphqls}',
  html: '*.{html,htm}',
  java: '*.java',
  js: '*.{js,jsx,mjs,cjs,vue}',
  json: '*.json',
  kotlin: '*.{kt,kts}',
  less: '*.less',
  lua: '*.lua',
  make: '{Makefile,makefile,GNUmakefile,*.mk}',
  md: '*.{md,markdown,mdx}',
  markdown: '*.{md,markdown,mdx}',
  php: '*.php',
  protobuf: '*.proto',
  py: '*.{py,pyi}',
  python: '*.{py,pyi}',
  r: '*.{r,R,Rmd}',
  ruby: '*.{rb,gemspec,rake}',
  rust: '*.rs',
  sass: '*.{sass,scss}',
  scala: '*.{scala,sbt}',
  sh: '*.{sh,bash,zsh}',
  sql: '*.sql',
  svelte: '*.svelte',
  swift: '*.swift',
  toml: '*.toml',
  ts: '*.{ts,tsx,cts,mts}',
  typescript: '*.{ts,tsx,cts,mts}',
  txt: '*.txt',
  vue: '*.vue',
  xml: '*.xml',
  yaml: '*.{yaml,yml}',
};

/** The type's glob; undefined for a type that is not known here. */
export function fileTypeGlob(type: string): string | undefined {
  return Object.hasOwn(types, type) ? types[type] : undefined;
}
