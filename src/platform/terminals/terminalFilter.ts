type State = 'text' | 'escape' | 'longEscape' | 'string' | 'stringEscape';

/**
 * Prepares output for a VS Code terminal. Colors and cursor movements stay; control strings
 * (titles, links, clipboard, shell integration marks) are removed, because a command could affect
 * the window with them; lines start at the left margin, as they wouldn't without a terminal device.
 * Accepts text that is split at any character.
 */
export class TerminalFilter {
  #state: State = 'text';

  push(text: string): string {
    if (this.#state === 'text' && !/[\u001b\u0080-\u009f]/.test(text)) {
      return text.replaceAll('\n', '\r\n');
    }
    let shown = '';
    for (const character of text) {
      shown += this.#next(character);
    }
    return shown;
  }

  #next(character: string): string {
    switch (this.#state) {
      case 'text':
        return this.#inText(character);
      case 'escape':
        return this.#afterEscape(character);
      case 'longEscape':
        this.#state = /[ -/]/.test(character) ? 'longEscape' : 'text';
        return '';
      case 'string':
        if (character === '\u001b') {
          this.#state = 'stringEscape';
        } else if (character === '\u0007' || character === '\u009c' || character === '\n') {
          this.#state = 'text';
        }
        return '';
      case 'stringEscape':
        // `ESC \` ends the string; any other escape also ends it, and begins a new sequence.
        this.#state = 'text';
        return character === '\\' ? '' : this.#afterEscape(character);
    }
  }

  #inText(character: string): string {
    if (character === '\u001b') {
      this.#state = 'escape';
      return '';
    }
    if (/[\u0090\u0098\u009d-\u009f]/.test(character)) {
      this.#state = 'string';
      return '';
    }
    if (/[\u0080-\u009a\u009c]/.test(character)) {
      return '';
    }
    return character === '\n' ? '\r\n' : character.replace('\u009b', '\u001b[');
  }

  #afterEscape(character: string): string {
    if (character === '\u001b') {
      this.#state = 'escape';
      return '';
    }
    if (/[ -/]/.test(character)) {
      this.#state = 'longEscape';
      return '';
    }
    this.#state = /[\]P^_X]/.test(character) ? 'string' : 'text';
    return character === '[' ? '\u001b[' : '';
  }
}
