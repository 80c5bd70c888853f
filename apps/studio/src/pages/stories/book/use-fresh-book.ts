import type { Job } from "@atelier/schemas";
import { useMemo } from "react";
import { titleOfStory } from "../title-of-story.ts";
import type { StoryImage } from "../story-cards.ts";
import { newBook, type Book } from "./book.ts";
import { isLanguage } from "./languages.ts";

/**
 * The book of a story before its first change: a page for each scene, also for those that were added,
 * unless all their versions failed or were cancelled.
 */
export function freshBook(job: Job, scenes: readonly StoryImage[]): Book {
  const firstVersions = scenes.filter(
    ({ version, scene }) =>
      version === 1 && scenes.some((one) => one.scene === scene && !isUnmade(one)),
  );
  return newBook({
    title: titleOfStory(job),
    language: languageOfBrowser(),
    // Only images of the cast have no scene.
    scenes: firstVersions.map(({ scene = 0, text }) => ({ scene, text })),
  });
}

function isUnmade({ status }: StoryImage): boolean {
  return status === "failed" || status === "cancelled";
}

/** The same object as long as it does not change. */
export function useFreshBook(job: Job, scenes: readonly StoryImage[]): Book {
  const content = JSON.stringify(freshBook(job, scenes));
  // Every read of the job has other objects with the same content.
  return useMemo(() => JSON.parse(content) as Book, [content]);
}

function languageOfBrowser() {
  const [language] = navigator.language.split("-");
  return isLanguage(language) ? language : "en";
}
