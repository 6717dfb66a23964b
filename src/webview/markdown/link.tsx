import type { ComponentChildren, VNode } from 'preact';
import { useTranscript } from '../state/context';
import { namesLines } from './fileMentions';
import { isOpenable } from './openableLinks';

interface LinkProps {
  readonly href: string;
  readonly children: ComponentChildren;
}

const maxAddressLength = 200;

/**
 * A link from an agent. It has no `href`, which VS Code would open without asking the extension
 * (https://github.com/microsoft/vscode/issues/39946); a click asks the host. A link that can't be
 * opened is drawn as text followed by its address, for the user to judge (CO-9).
 */
export function Link({ href, children }: LinkProps): VNode {
  const { post } = useTranscript();
  if (!isOpenable(href)) {
    const address = href.length > maxAddressLength ? `${href.slice(0, maxAddressLength)}…` : href;
    return (
      <span class="dead-link">
        {children} <span class="dead-link-address">({address})</span>
      </span>
    );
  }
  const open = (): void => post({ type: 'openLink', href });
  return (
    // biome-ignore lint/a11y/useSemanticElements: VS Code itself would open an `a` that has an address
    <span
      role="link"
      tabIndex={0}
      class="link"
      title={href}
      data-vscode-context={
        namesLines(href) ? JSON.stringify({ acpSessionsLines: href }) : undefined
      }
      onClick={open}
      onKeyDown={(event) => event.key === 'Enter' && open()}
    >
      {children}
    </span>
  );
}
