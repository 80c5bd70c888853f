/** A render that is ready to be claimed, for the queue of its lane. */
export interface Dispatch {
  readonly renderId: string;
  readonly lane: string;
  /** 1 is served first. */
  readonly priority: number;
}

/** A dispatch outside of the request or render that readied the render. */
export interface TracedDispatch extends Dispatch {
  /** The trace context in which the generation was accepted (W3C Trace Context), if any. */
  readonly traceParent: string | null;
}
