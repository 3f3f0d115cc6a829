// The hosts whose pages may be fetched unasked: documentation that its own project publishes, and nothing that visitors write.

/** Over https and the usual port, on one of these hosts exactly. */
export function isDocumentation(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, port, hostname, username, password } = new URL(url);
  return protocol === 'https:' && port === '' && username === '' && password === '' && documentationHosts.has(hostname);
}

/** No wikis, forums, playgrounds that keep what visitors write (svelte.dev, go.dev), package pages or notes of readers; no wildcards. */
export const documentationHosts: ReadonlySet<string> = new Set([
  // Languages and their libraries
  'docs.python.org',
  'nodejs.org',
  'developer.mozilla.org',
  'www.typescriptlang.org',
  'doc.rust-lang.org',
  'docs.oracle.com',
  'kotlinlang.org',
  'docs.swift.org',
  'docs.ruby-lang.org',
  'docs.scala-lang.org',
  'docs.julialang.org',
  'ziglang.org',
  'dart.dev',
  'api.dart.dev',
  'elixir-lang.org',
  'clojure.org',
  // Frameworks
  'react.dev',
  'vuejs.org',
  'angular.dev',
  'nextjs.org',
  'expressjs.com',
  'preactjs.com',
  'docs.djangoproject.com',
  'flask.palletsprojects.com',
  'fastapi.tiangolo.com',
  'guides.rubyonrails.org',
  'api.rubyonrails.org',
  'docs.spring.io',
  'docs.flutter.dev',
  'tailwindcss.com',
  'getbootstrap.com',
  // Data and science
  'numpy.org',
  'pandas.pydata.org',
  'docs.scipy.org',
  'scikit-learn.org',
  'matplotlib.org',
  'docs.pytorch.org',
  'www.tensorflow.org',
  'docs.sqlalchemy.org',
  // Tools
  'code.visualstudio.com',
  'docs.npmjs.com',
  'eslint.org',
  'prettier.io',
  'vite.dev',
  'vitest.dev',
  'jestjs.io',
  'mochajs.org',
  'playwright.dev',
  'webpack.js.org',
  'rollupjs.org',
  'esbuild.github.io',
  'docs.pytest.org',
  'cmake.org',
  'docs.gradle.org',
  'maven.apache.org',
  'git-scm.com',
  'docs.github.com',
  'docs.gitlab.com',
  // Systems
  'docs.docker.com',
  'kubernetes.io',
  'developer.hashicorp.com',
  'docs.ansible.com',
  'nginx.org',
  'httpd.apache.org',
  'prometheus.io',
  'docs.aws.amazon.com',
  // Standards and models
  'www.rfc-editor.org',
  'html.spec.whatwg.org',
  'json-schema.org',
  'modelcontextprotocol.io',
  'docs.anthropic.com',
  'platform.claude.com',
  'code.claude.com',
]);
