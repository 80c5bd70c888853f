/** A line of a batch, from 1. */
export interface BatchLine {
  /** The batch. */
  readonly id: string;
  readonly line: number;
}

/**
 * Added to the priorities of renders of batches, so that lanes serve all others first. Far more than an
 * account may have unfinished renders, and less than BullMQ's largest priority.
 */
export const priorityInBatch = 1_000_000;

/** SQL: what is added to the priority of a render of a `generation`. */
export const addedInBatch = `CASE WHEN batch_id IS NULL THEN 0 ELSE ${priorityInBatch} END`;

/**
 * SQL condition on the row of a batch: this line is the next one. It is checked on the locked row in the
 * statement that accepts or refuses the line, so that each line is taken once.
 *
 * @param line SQL of the line.
 */
export const isNextLine = (line: string) =>
  `lines_taken = ${line} - 1 AND batch.status = 'processing' AND batch.error IS NULL`;
