/** Cells that say yes or no, in nine languages. Pure. */
const YES = /^(?:true|yes|y|1|x|on|ja|oui|sí|si|sì|tak|sim|כן|subscribed|opted[- ]?in|accepted|granted)$/iu;
const NO = /^(?:false|no|n|0|off|nein|non|nee|nie|não|nao|לא|unsubscribed|opted[- ]?out|declined|denied)$/iu;

/** Returns undefined if the text is neither. */
export function readYesNo(text: string): boolean | undefined {
  const plain = text.trim();
  if (YES.test(plain)) return true;
  return NO.test(plain) ? false : undefined;
}
