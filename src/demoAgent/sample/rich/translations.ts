import type { SampleSession } from '../shortSession';

const table = `| Sprache | Betreff |
| :--- | :--- |
| 🇩🇪 Deutsch | Ihre Bestellung ist unterwegs |
| 🇫🇷 Français | Votre commande est en route |
| 🇪🇸 Español | ¡Tu pedido está en camino! |
| 🇬🇷 Ελληνικά | Η παραγγελία σας είναι καθ’ οδόν |
| 🇯🇵 日本語 | ご注文の商品を発送しました |
| 🇮🇱 עברית | ההזמנה שלך בדרך |`;

/** Other scripts, other text directions, emoji. */
export const translations: SampleSession = {
  title: 'Versandmail übersetzen: 日本語, Ελληνικά, עברית … und 🌱 im Betreff',
  write: (transcript) => {
    transcript
      .user(
        'Übersetze bitte den Betreff der Versandmail in alle Sprachen, die der Shop kann. 🌱 gern davor!',
      )
      .read('src/email/shipped.json', '{ "de": "Ihre Bestellung ist unterwegs" }')
      .say(`Gern. Alle sechs Sprachen, der Setzling kommt bei jeder davor:\n\n${table}`)
      .edit(
        'src/email/shipped.json',
        '{ "de": "Ihre Bestellung ist unterwegs" }',
        '{\n  "de": "🌱 Ihre Bestellung ist unterwegs",\n  "fr": "🌱 Votre commande est en route",\n  "es": "🌱 ¡Tu pedido está en camino!",\n  "el": "🌱 Η παραγγελία σας είναι καθ’ οδόν",\n  "ja": "🌱 ご注文の商品を発送しました",\n  "he": "🌱 ההזמנה שלך בדרך"\n}',
      )
      .user('Und wie lang darf so ein Betreff sein?')
      .say(
        'Etwa **50 Zeichen**: danach schneiden die meisten Telefone ab. Der längste hier ist der ' +
          'griechische mit 33, alles gut. 👍🏽',
      );
  },
};
