import { edge, end } from './words.ts';

/** Success without saying of what. */
export const success = new RegExp(
  `${edge}(?:${[
    'done|all set|taken care of|sorted(?: out)?|(?:went|gone) (?:straight |right |smoothly )?through|went (?:well|fine|smoothly)|success(?:fully|ful)?|succeeded|everything (?:is|has been) (?:fine|ready|settled|handled)|(?:it|that|this) worked|complete[d]?|finished|as you (?:wished|asked|wanted)',
    'erledigt|geschafft|gemacht|erfolgreich|fertig|hat (?:\\S+ )?(?:geklappt|funktioniert)',
    "c'est fait|ça y est|réussie?|terminée?",
    'hecho|listo|ya está|con éxito|completad[oa]',
  ].join('|')})${end}`,
  'iu',
);
