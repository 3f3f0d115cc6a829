// The output styles that can be chosen: Deft's own, and the files of the organisation, the user and the project.
import { basename, join } from 'pathe';
import { projectFileCheck } from '../context/project-file';
import { leadsOut } from '../context/plugin-files';
import { type PluginIdentity } from '../ports/plugin-identity';
import { type FileSystem } from '../ports/files';
import { type Path } from '../ports/path';
import { type SkillFolder } from '../skills/skill-folders';
import { builtInStyles } from './built-in-styles';
import { type OutputStyle, readStyle, styleNamed, type StyleSource } from './output-style';

export interface StyleOptions {
  files: Pick<FileSystem, 'list' | 'readText' | 'realPath'>;
  /** The `.claude` folders, the highest first. */
  folders: () => Promise<readonly SkillFolder[]>;
  /** Of enabled plugins: folders and single files. */
  plugins?: () => Promise<readonly PluginStyles[]>;
  /** A project's styles count only then. */
  trusted: () => boolean;
  isHidden: (path: Path) => boolean;
  /** What the settings name now. */
  chosen: () => string | undefined;
}

export interface PluginStyles {
  plugin: PluginIdentity;
  places: readonly Path[];
}

export interface StyleProblem {
  file: Path;
  message: string;
}

export interface StyleList {
  styles: readonly OutputStyle[];
  problems: readonly StyleProblem[];
}

export interface OutputStyles {
  list(): Promise<StyleList>;
  /** As it is set; Deft's own way where no style has that name. */
  current(): Promise<OutputStyle>;
}

const maxBytes = 1_000_000;
const maxFiles = 200;

/** Nothing is kept: a few small files, looked at when somebody asks. */
export function createOutputStyles({ files, folders, plugins, trusted, isHidden, chosen }: StyleOptions): OutputStyles {
  const list = async (): Promise<StyleList> => {
    const all = await folders();
    const check = projectFileCheck({
      files,
      roots: all.filter(({ source }) => source === 'project').map(({ root }) => root),
      isHidden,
    });
    const read = await Promise.all(
      all
        .filter(({ source }) => source !== 'project' || trusted())
        .map((folder) =>
          stylesIn(
            { folder: join(folder.path, 'output-styles'), source: styleSource(folder) },
            files,
            folder.source === 'project' ? check : undefined,
          ),
        ),
    );
    for (const { plugin, places } of (await plugins?.()) ?? []) {
      const parts = await Promise.all(
        places.map((folder) => stylesIn({ folder, source: 'plugin' }, files, leadsOut(plugin.root, files))),
      );
      read.push(
        ...parts.map(({ styles, problems }) => ({
          styles: styles.map((style) => ({ ...style, name: `${plugin.name}:${style.name}` })),
          problems,
        })),
      );
    }
    const found = read.flatMap(({ styles }) => styles);
    const styles: OutputStyle[] = [];
    // The highest of a name counts; in the list Deft's own stay where they are.
    for (const own of [
      ...builtInStyles.map(({ name }) => styleNamed(found, name) ?? styleNamed(builtInStyles, name)),
      ...found,
    ]) {
      if (own !== undefined && styleNamed(styles, own.name) === undefined) styles.push(own);
    }
    return { styles, problems: read.flatMap(({ problems }) => problems) };
  };
  return {
    list,
    async current() {
      const name = chosen()?.trim() ?? '';
      const [standard] = builtInStyles as [OutputStyle, ...OutputStyle[]];
      // Most users never choose one: no folder is searched for them.
      return name === '' ? standard : (styleNamed((await list()).styles, name) ?? standard);
    },
  };
}

function styleSource({ source }: SkillFolder): StyleSource {
  return source === 'bundled' ? 'built-in' : source;
}

/** `folder` may be a single file. */
async function stylesIn(
  { folder, source }: { folder: Path; source: StyleSource },
  files: StyleOptions['files'],
  check: ((file: Path) => Promise<string | undefined>) | undefined,
): Promise<StyleList> {
  const entries = /\.md$/i.test(folder) ? [] : await files.list(folder).catch(() => []);
  const inside = entries
    .filter(({ name, type }) => type === 'file' && /\.md$/i.test(name))
    .map(({ name }) => join(folder, name))
    .sort()
    .slice(0, maxFiles);
  const styles: OutputStyle[] = [];
  const problems: StyleProblem[] = [];
  await Promise.all(
    (/\.md$/i.test(folder) ? [folder] : inside).map(async (file) => {
      const refused = await check?.(file);
      const read = refused === undefined ? await files.readText(file, maxBytes) : undefined;
      const style =
        read === undefined
          ? (refused ?? '')
          : read.outcome === 'refused'
            ? read.message
            : readStyle(read.file.text, { name: basename(file).slice(0, -3), source, file });
      if (typeof style === 'string') problems.push({ file, message: style });
      else styles.push(style);
    }),
  );
  return { styles: styles.sort((a, b) => (a.file < b.file ? -1 : 1)), problems };
}
