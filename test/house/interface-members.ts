// The members of an interface, with those of the interfaces that it extends.
import ts from 'typescript';
import { type SourceFile } from '../unit/tidy/source-files';

/** Undefined where no file declares it. */
export function interfaceMembers(files: readonly SourceFile[], name: string): string[] | undefined {
  for (const { text, tree } of files) {
    if (!text.includes(`interface ${name}`)) continue;
    for (const statement of tree.statements) {
      if (!ts.isInterfaceDeclaration(statement) || statement.name.text !== name) continue;
      const inherited = (statement.heritageClauses ?? []).flatMap(({ types }) =>
        types.flatMap(({ expression }) => interfaceMembers(files, expression.getText(tree)) ?? []),
      );
      return [...inherited, ...statement.members.map((member) => member.name?.getText(tree) ?? '()')];
    }
  }
  return undefined;
}
