-- Compared by bytes, the primary key finds the orders whose references begin with a text, in any locale of the database.
-- The rows are not rewritten; the indexes and the foreign key are made anew. Both columns change, because they are
-- joined by their indexes.
alter table orders alter column source_reference type text collate "C";
alter table returns alter column source_reference type text collate "C";
