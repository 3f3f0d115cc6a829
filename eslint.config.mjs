import tseslint from 'typescript-eslint';
import { capRules, house } from './test/house/lint-rules.mjs';

export default tseslint.config(
  { ignores: ['out/**', 'dist/**', '**/node_modules/**', 'test/rig/vscode/**', 'test/support/tool-extension/**'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: { house },
    // An exception that nothing needs any more is an error too.
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Use named exports.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' },
        { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that declares it.' },
      ],
      ...capRules,
    },
  },
  // Rules that ask for types cost four times as much as all others together. A test that does not wait for what it
  // asserts cannot fail, so that one holds in tests too; the others have found nothing there.
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { '@typescript-eslint/no-floating-promises': 'error' },
  },
  {
    files: ['src/**/*.ts', 'webview-ui/**/*.ts', 'webview-ui/**/*.tsx'],
    rules: {
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    },
  },
  { files: ['test/**', 'src/headless/**', '*.mjs'], rules: { 'no-console': 'off' } },
  // A module declaration for text files has nothing but a default export.
  { files: ['**/*.d.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
