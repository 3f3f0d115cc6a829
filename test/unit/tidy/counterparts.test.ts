// What belongs together is there: a prompt and a test for each tool, a component for each view, a handler for each message, a command for each menu.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { getAllBaseTools } from '../../../src/core/tools/registry';
import { webviewMessages } from '../../../src/shared/protocol';
import { filesBelow, readSource, type SourceFile, sourceFiles } from './source-files';

const kebab = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();

describe('counterparts', () => {
  it('every built-in tool has a prompt, a file, a table of calls and a test of the rest', () => {
    const tools = getAllBaseTools();
    assert.ok(tools.length >= 6);
    const sources = filesBelow('src/core/tools');
    for (const { name } of tools) {
      const file = sources.find((one) => one.endsWith(`/${kebab(name)}.ts`)) ?? assert.fail(`${name} has no file`);
      const place = file.slice('src/core/'.length, -'.ts'.length);
      const others = [
        `src/core/${place}.md`,
        `test/unit/core/${place}.test.ts`,
        `test/unit/tables/${kebab(name)}.test.ts`,
      ];
      for (const other of others) assert.ok(existsSync(other), `${other} is missing`);
      assert.match(readFileSync(file, 'utf8'), new RegExp(`from '\\./${kebab(name)}\\.md'`));
    }
  });

  it('every kind of tool view has a component', () => {
    const kinds = discriminants(readSource('src/shared/tool-view.ts'), 'kind');
    assert.ok(kinds.length >= 8, kinds.join());
    const cases = drawnCases(readSource('webview-ui/tools/view-body.tsx'));
    assert.deepEqual([...cases].sort(), [...kinds].sort());
  });

  it('every message of the webview has one handler, and the webview sends it', () => {
    const types = Object.keys(webviewMessages).sort();
    assert.ok(types.length >= 20);
    const handled = ['conversation', 'composer', 'editor', 'session', 'server'].flatMap((subject) =>
      keysOf(readSource(`src/vscode/chat/messages/${subject}-handlers.ts`), `${subject}Handlers`),
    );
    assert.deepEqual(handled.sort(), types);
    const webview = textOf('webview-ui');
    const isSent = (type: string): boolean =>
      new RegExp(`type: '${type}'|\\b(?:request|ask)\\('${type}',`).test(webview);
    assert.deepEqual(
      types.filter((type) => !isSent(type)),
      [],
      'nothing is there that nobody sends',
    );
  });

  it('every message of the host is sent, and the webview has one handler for it', () => {
    const types = membersOf(readSource('src/shared/host-messages.ts'), 'HostMessages').sort();
    assert.ok(types.length >= 10, types.join());
    assert.deepEqual(keysOf(readSource('webview-ui/host-messages.ts'), 'hostMessageHandlers').sort(), types);
    const host = textOf('src/vscode');
    assert.deepEqual(
      types.filter((type) => !new RegExp(`type: '${type}'`).test(host)),
      [],
      'nothing is there that nobody sends',
    );
  });

  it('the webview takes no more than types from what checks its messages', () => {
    const importers = [...sourceFiles('webview-ui'), ...sourceFiles('src/shared')].filter(({ text }) =>
      /\/protocol'/.test(text),
    );
    assert.ok(importers.length >= 5);
    assert.deepEqual(
      importers.filter(({ text }) => /import \{[^}]*\} from '[^']*\/protocol'/.test(text)).map(({ path }) => path),
      [],
      'zod would be in the page',
    );
  });

  it('every chat event is reduced', () => {
    const types = discriminants(readSource('src/shared/chat.ts'), 'type', 'ChatEvent');
    assert.ok(types.length >= 10, types.join());
    const reducer = readSource('src/shared/reduce-chat.ts').text;
    assert.deepEqual(
      types.filter((type) => !reducer.includes(`case '${type}'`)),
      [],
    );
  });
});

describe('package.json', () => {
  interface Contributed {
    command?: string;
    submenu?: string;
    id?: string;
  }
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    enabledApiProposals?: string[];
    contributes: {
      commands: Contributed[];
      menus: Record<string, Contributed[]>;
      submenus?: Contributed[];
      keybindings: Contributed[];
      configuration: { properties: Record<string, unknown> };
    };
  };
  const { commands, menus, submenus = [], keybindings, configuration } = manifest.contributes;

  /** Menus of public API that were tried or read in a VS Code that would also have shown proposed ones, and the plain old ones. */
  const publicMenus = [
    'editor/title',
    'editor/title/run',
    'editor/title/context',
    'editor/context',
    'editor/lineNumber/context',
    'scm/change/title',
    'scm/title',
    'comments/commentThread/title',
    'comments/commentThread/context',
    'comments/comment/title',
    'comments/comment/context',
    'commandPalette',
    'explorer/context',
    'terminal/context',
    'view/title',
    'view/item/context',
  ];

  it('uses menus of public API only', () => {
    const own = submenus.map(({ id }) => id);
    const used = Object.keys(menus);
    assert.ok(used.length >= 5);
    assert.deepEqual(
      used.filter((id) => !publicMenus.includes(id) && !own.includes(id)),
      [],
    );
    assert.equal(manifest.enabledApiProposals, undefined);
  });

  it('shows only commands that it contributes', () => {
    const known = commands.map(({ command }) => command);
    assert.ok(known.length >= 20);
    assert.equal(new Set(known).size, known.length);
    const shown = [...Object.values(menus).flat(), ...keybindings].flatMap(({ command }) =>
      command?.startsWith('deft.') ? [command] : [],
    );
    assert.ok(shown.length >= 20);
    assert.deepEqual(
      shown.filter((command) => !known.includes(command)),
      [],
    );
  });

  it('registers every command that it contributes', () => {
    const code = sourceFiles('src/vscode')
      .map(({ text }) => text)
      .join('\n');
    assert.deepEqual(
      commands.filter(({ command }) => !code.includes(`'${command}':`)).map(({ command }) => command),
      [],
    );
  });

  it('reads every setting that it contributes', () => {
    const names = Object.keys(configuration.properties);
    assert.ok(names.length >= 8);
    const code = sourceFiles('src/vscode')
      .map(({ text }) => text)
      .join('\n');
    assert.deepEqual(
      names.filter((name) => !code.includes(name.slice('deft.'.length))),
      [],
    );
  });
});

function textOf(folder: string): string {
  return sourceFiles(folder)
    .map(({ text }) => text)
    .join('\n');
}

function membersOf({ tree }: SourceFile, name: string): string[] {
  return tree.statements.flatMap((node) =>
    ts.isInterfaceDeclaration(node) && node.name.text === name
      ? node.members.map((member) => member.name?.getText(tree) ?? '')
      : [],
  );
}

/** The literal values of a discriminant, in the whole file or in one type. */
function discriminants({ tree }: SourceFile, field: string, inType?: string): string[] {
  const found = new Set<string>();
  const visit = (node: ts.Node, inside: boolean): void => {
    const here = inside || (ts.isTypeAliasDeclaration(node) && node.name.text === inType);
    if (
      here &&
      ts.isPropertySignature(node) &&
      node.name.getText(tree) === field &&
      node.type !== undefined &&
      ts.isLiteralTypeNode(node.type) &&
      ts.isStringLiteral(node.type.literal)
    ) {
      found.add(node.type.literal.text);
      // What lies deeper are parts, not members.
      return;
    }
    ts.forEachChild(node, (child) => visit(child, here));
  };
  visit(tree, inType === undefined);
  return [...found];
}

/** The cases of a switch that draw something. */
function drawnCases({ tree }: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCaseClause(node) && ts.isStringLiteral(node.expression) && /<[A-Z]\w+/.test(node.getText(tree)))
      found.push(node.expression.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function keysOf({ tree }: SourceFile, variable: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isVariableDeclaration(node) &&
      node.name.getText(tree) === variable &&
      node.initializer !== undefined &&
      ts.isObjectLiteralExpression(node.initializer)
    ) {
      for (const property of node.initializer.properties) found.push(property.name?.getText(tree) ?? '');
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
