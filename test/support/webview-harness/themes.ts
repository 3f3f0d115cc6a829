// VS Code's theme variables as a webview gets them, for six of its own themes.
import { contrast, contrastLight, darkModern, lightModern } from './theme-colours';
import { dark2026, light2026 } from './theme-colours-2026';

/** `dark` and `light` are the themes that VS Code has by default. */
export const themeNames = ['light', 'dark', 'light-modern', 'dark-modern', 'contrast', 'contrast-light'] as const;
export type ThemeName = (typeof themeNames)[number];

const shared = {
  'font-family': '"Segoe UI", "Ubuntu", "DejaVu Sans", sans-serif',
  'font-size': '13px',
  'font-weight': 'normal',
  'editor-font-family': '"DejaVu Sans Mono", monospace',
  'editor-font-size': '14px',
};

const variables: Readonly<Record<ThemeName, Readonly<Record<string, string>>>> = {
  light: light2026,
  dark: dark2026,
  'light-modern': lightModern,
  'dark-modern': darkModern,
  contrast,
  'contrast-light': contrastLight,
};

export const bodyClasses: Readonly<Record<ThemeName, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  'light-modern': 'vscode-light',
  'dark-modern': 'vscode-dark',
  contrast: 'vscode-high-contrast',
  // As VS Code names it: the dark one's class comes with it.
  'contrast-light': 'vscode-high-contrast-light vscode-high-contrast',
};

/** The theme as a style sheet, with the few rules that VS Code gives every webview. */
export function themeCss(theme: ThemeName): string {
  const lines = Object.entries({ ...shared, ...variables[theme] }).map(
    ([name, value]) => `  --vscode-${name}: ${value};`,
  );
  return `:root {\n${lines.join('\n')}\n}
@layer vscode-default {
  body { margin: 0; padding: 0 20px; background: var(--vscode-sideBar-background); color: var(--vscode-editor-foreground); }
  a, a code { color: var(--vscode-textLink-foreground); }
  code { padding: 1px 3px; border-radius: 4px; background: var(--vscode-textPreformat-background); color: var(--vscode-textPreformat-foreground); }
  pre code { padding: 0; }
  blockquote { border-color: var(--vscode-textBlockQuote-border); background: var(--vscode-textBlockQuote-background); }
  ::-webkit-scrollbar { width: 10px; height: 10px; }
  ::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background, #6fc3df99); }
}
`;
}
