import { z } from 'zod';
import { inDecimals } from '../src/core/money.ts';
import { once } from '../src/core/once.ts';
import { amountShown, currencyShown } from '../src/engine/shown.ts';

/** An amount and its currency, in an answer. */
export const sumShown = once(() => z.looseObject({ amount: amountShown, currency: currencyShown }));

/** An amount with its currency's decimals. */
export const sumOf = (amount: string, currency: string) => ({ amount: inDecimals(amount, currency), currency });
