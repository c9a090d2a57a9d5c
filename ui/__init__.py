"""What is seen. The only room that knows Qt; knows `app` and nothing below it."""
