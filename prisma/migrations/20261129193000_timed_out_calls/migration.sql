-- Expand: older versions read outcomes as texts, and a call with this one is the last of its render.
ALTER TYPE "provider_outcome" ADD VALUE 'timed_out';
