// The project's own source files with what they import, read once for all tidy tests.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'pathe';
import ts from 'typescript';

export interface Import {
  /** As written. */
  specifier: string;
  /** The project file it means, from the project's root; undefined for packages. */
  file: string | undefined;
  /** Gone after compilation. */
  typeOnly: boolean;
  /** `export … from`. */
  reexport: boolean;
  line: number;
}

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  path: string;
  text: string;
  lines: number;
  /** Parsed when it is first asked for. */
  readonly tree: ts.SourceFile;
  readonly imports: Import[];
}

export const projectRoot = path.resolve('.');
const skipped = new Set(['node_modules', 'dist', 'out', 'vscode-server']);

/** All .ts and .tsx files below a folder, declaration files left out. */
export function sourceFiles(folder: string): SourceFile[] {
  return filesBelow(folder)
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map(readSource);
}

export function filesBelow(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { withFileTypes: true })
    .flatMap((entry) => {
      const at = `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return [at];
      return skipped.has(entry.name) ? [] : filesBelow(at);
    })
    .sort();
}

const read = new Map<string, SourceFile>();

/** Each file is read and parsed once, whoever asks. */
export function readSource(file: string): SourceFile {
  const known = read.get(file);
  if (known !== undefined) return known;
  const source = parseSource(file, readFileSync(path.join(projectRoot, file), 'utf8'));
  read.set(file, source);
  return source;
}

/** Of a text that stands for a file; project files are looked up on disk. */
export function parseSource(file: string, text: string): SourceFile {
  let tree: ts.SourceFile | undefined;
  let imports: Import[] | undefined;
  const parse = (): ts.SourceFile => {
    const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    return ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true, kind);
  };
  return {
    path: file,
    text,
    lines: text.split('\n').length - 1,
    get tree() {
      return (tree ??= parse());
    },
    get imports() {
      return (imports ??= importsOf(this.tree, file));
    },
  };
}

function importsOf(tree: ts.SourceFile, file: string): Import[] {
  const imports: Import[] = [];
  const add = (node: ts.Node, specifier: string, typeOnly: boolean, reexport = false): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    imports.push({ specifier, file: resolveImport(file, specifier), typeOnly, reexport, line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node, node.moduleSpecifier.text, importsTypesOnly(node.importClause));
    } else if (
      ts.isExportDeclaration(node) &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      add(node, node.moduleSpecifier.text, node.isTypeOnly, true);
    } else if (
      ts.isImportTypeNode(node) &&
      ts.isLiteralTypeNode(node.argument) &&
      ts.isStringLiteral(node.argument.literal)
    ) {
      add(node, node.argument.literal.text, true);
    } else if (
      ts.isImportEqualsDeclaration(node) &&
      ts.isExternalModuleReference(node.moduleReference) &&
      ts.isStringLiteral(node.moduleReference.expression)
    ) {
      add(node, node.moduleReference.expression.text, node.isTypeOnly);
    } else if (ts.isCallExpression(node)) {
      const [argument] = node.arguments;
      const loads =
        node.expression.kind === ts.SyntaxKind.ImportKeyword ||
        (ts.isIdentifier(node.expression) && node.expression.text === 'require');
      if (loads && argument !== undefined && ts.isStringLiteralLike(argument)) add(node, argument.text, false);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return imports;
}

function importsTypesOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { name, namedBindings } = clause;
  return (
    name === undefined &&
    namedBindings !== undefined &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const base = path.join(path.dirname(from), specifier);
  return [base, `${base}.ts`, `${base}.tsx`, `${base}.d.ts`, `${base}/index.ts`].find(isFile) ?? base;
}

const isFileAt = new Map<string, boolean>();

function isFile(file: string): boolean {
  const known = isFileAt.get(file);
  if (known !== undefined) return known;
  const is = statSync(path.join(projectRoot, file), { throwIfNoEntry: false })?.isFile() === true;
  isFileAt.set(file, is);
  return is;
}
