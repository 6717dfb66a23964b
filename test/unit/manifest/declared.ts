import packageJson from '../../../package.json';
import texts from '../../../package.nls.json';

interface Menu {
  readonly command?: string;
  readonly submenu?: string;
  readonly group?: string;
  readonly when?: string;
  readonly key?: string;
}

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
    readonly virtualWorkspaces: { readonly supported: boolean };
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly category: string;
      readonly title: string;
    }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly keybindings: readonly Menu[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly contents: string }[];
    readonly walkthroughs: readonly {
      readonly steps: readonly {
        readonly description: string;
        readonly media: { readonly svg: string; readonly altText: string };
        readonly completionEvents: readonly string[];
      }[];
    }[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { readonly scope?: string; readonly default: unknown }>
      >;
    };
  };
}

export const manifest: Manifest = packageJson;
export const { contributes } = manifest;
export const { menus } = contributes;

/** The text that `package.nls.json` has for a `%key%`. */
export function textOf(key: string): string {
  return new Map(Object.entries(texts)).get(key.replaceAll('%', '')) ?? key;
}
